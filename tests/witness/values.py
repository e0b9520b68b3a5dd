"""Names and the values of expressions, for the witness: see assembler.py."""

from dataclasses import dataclass, field

from expressions import Fault, apply
from syntax import RESERVED

FUNCTION_DEPTH = 400


@dataclass
class Scope:
    """The names that a line sees. Each expansion and each stretch between labels has its own."""

    names: dict  # parameters, indexes, and what is defined here
    around: "Scope | None"  # where the lines are written: for names
    home: dict  # where names are defined: those of the program, or of a routine
    locals: dict = field(default_factory=dict)
    outer: "Scope | None" = None  # where the lines are expanded: for local names
    callers: tuple = ()  # the places of the calls that led here, innermost first


@dataclass
class Value:
    """An expression, and the scope in which it is evaluated."""

    node: tuple
    scope: Scope
    here: int
    kind: str = "constant"


class Values:
    """Looks up names and evaluates expressions, using the lines placed so far."""

    def unique(self, table, name, at, callers=None):
        if name.upper() in RESERVED:
            raise Fault("reserved", at, name, callers)
        if name in table:
            raise Fault("duplicate", at, name, callers)

    def define(self, scope, name, value, at):
        """A label, a constant or a variable."""
        table = scope.locals if name.startswith("@") else scope.home
        self.unique(table, name, at, scope.callers)
        table[name] = value

    def find(self, name, scope):
        """The meaning of a name here, or None."""
        if name.startswith("@"):
            while scope:
                if name in scope.locals:
                    return scope.locals[name]
                scope = scope.outer
            return None
        while scope:
            if name in scope.names:
                return scope.names[name]
            scope = scope.around
        return None

    def built(self, parts, scope, here):
        """The name that is written in parts."""
        name = ""
        for part in parts:
            if isinstance(part, tuple):
                number = self.number(part, scope, here)
                if number < 0:
                    raise Fault("range", part[1], "a negative number in a name", scope.callers)
                part = str(number)
            name += part
        return name

    def resolve(self, node, scope, here, seen=()):
        """Replaces a parameter or a constant by its operand, repeatedly."""
        if node[0] != "name":
            return node, scope, here
        name = self.built(node[2], scope, here)
        found = self.find(name, scope)
        if not isinstance(found, Value):
            return node, scope, here
        if found in seen:
            raise Fault("cycle", found.node[1], name)
        return self.resolve(found.node, found.scope, found.here, (*seen, found))

    def number(self, node, scope, here, seen=()):
        """The value of an expression. `seen` are the constants that it is part of."""
        kind, at, *rest = node
        value = getattr(self, "evaluate_" + kind, None)
        if not value:
            raise Fault("operand", at, f"expected a number, found {kind}", scope.callers)
        try:
            return value(rest, at, scope, here, seen)
        except Fault as fault:
            if fault.callers is None:
                fault.callers = scope.callers
            raise

    def evaluate_number(self, rest, *_):
        return rest[0]

    def evaluate_here(self, rest, at, scope, here, seen):
        return here

    def evaluate_brackets(self, rest, at, scope, here, seen):
        return self.number(rest[0], scope, here, seen)

    def evaluate_unary(self, rest, at, scope, here, seen):
        value = self.number(rest[1], scope, here, seen)
        if rest[0] == "-":
            return apply("-", 0, value, at)
        return ~value if rest[0] == "~" else int(value == 0)

    def evaluate_binary(self, rest, at, scope, here, seen):
        operator, left, right = rest
        a = self.number(left, scope, here, seen)
        if operator in ("&&", "||") and bool(a) == (operator == "||"):
            self.names_in(right, scope, here)
            return int(a != 0)
        b = self.number(right, scope, here, seen)
        return int(b != 0) if operator in ("&&", "||") else apply(operator, a, b, at)

    def evaluate_choice(self, rest, at, scope, here, seen):
        condition, yes, no = rest
        if self.number(condition, scope, here, seen):
            self.names_in(no, scope, here)
            return self.number(yes, scope, here, seen)
        self.names_in(yes, scope, here)
        return self.number(no, scope, here, seen)

    def names_in(self, node, scope, here):
        """Looks up the names of an expression that is not evaluated, except composed names."""
        if node[0] == "name":
            if len(node[2]) == 1 and self.find(node[2][0], scope) is None:
                raise Fault("undefined", node[1], node[2][0])
        elif node[0] == "call":
            self.called(node[2], node[3], node[1])
            for argument in node[3]:
                self.names_in(argument, scope, here)
        else:
            for part in node[2:]:
                if isinstance(part, tuple):
                    self.names_in(part, scope, here)

    def evaluate_name(self, rest, at, scope, here, seen):
        name = self.built(rest[0], scope, here)
        found = self.find(name, scope)
        if found is None:
            raise Fault("undefined", at, name)
        if isinstance(found, int):
            return found
        if any(found is other for other in seen):
            raise Fault("cycle", at, name)
        if found.kind == "constant":
            seen = (*seen, found)
        return self.number(found.node, found.scope, found.here, seen)

    def evaluate_call(self, rest, at, scope, here, seen):
        name, arguments = rest
        function = self.called(name, arguments, at)
        if callable(function):
            return function(self, arguments, at, scope, here, seen)
        if len(scope.callers) > FUNCTION_DEPTH:
            raise Fault("recursion", at, name)
        values = [self.evaluate_argument(argument, scope, here, seen) for argument in arguments]
        names = dict(zip(function["parameters"], values))
        callers = (at, *scope.callers)
        inner = Scope(names, function["scope"], {}, callers=callers)
        return self.number(function["value"], inner, here, seen)

    def evaluate_argument(self, node, scope, here, seen):
        """Evaluates the arguments of a function before the call. Strings stay unchanged."""
        found, inner, there = self.resolve(node, scope, here)
        if found[0] in ("text", "pooled"):
            return Value(found, inner, there, "parameter")
        return self.number(node, scope, here, seen)

    def called(self, name, arguments, at):
        """The function of this name, if it takes this many arguments."""
        function = self.functions.get(name) or BUILT_IN.get(name)
        if not function:
            raise Fault("undefined", at, name)
        if not callable(function) and len(arguments) != len(function["parameters"]):
            raise Fault("arguments", at, name)
        return function

    def text(self, node, at, scope, here):
        """The bytes of a string."""
        node, _, _ = self.resolve(node, scope, here)
        if node[0] != "text":
            raise Fault("operand", at, "expected some text")
        return node[2].encode()

    def within(self, value, low, high, at, callers):
        if not low <= value <= high:
            raise Fault("range", at, f"{value} is not from {low} to {high}", callers)
        return value

    def ranged(self, node, low, high, scope):
        value = self.number(node, scope, self.index)
        return self.within(value, low, high, node[1], scope.callers)


def log2(value, at):
    if value <= 0 or value & value - 1:
        raise Fault("arithmetic", at, f"log2({value})")
    return value.bit_length() - 1


def character(text, index, at):
    if not 0 <= index < len(text):
        raise Fault("arithmetic", at, f"char(…, {index})")
    return text[index]


def function_of_numbers(compute):
    """A built-in function that takes numbers."""
    def value(run, arguments, at, scope, here, seen):
        return compute(at, *(run.number(node, scope, here, seen) for node in arguments))
    return value


BUILT_IN = {
    "lo": function_of_numbers(lambda at, x: x & 0xFF),
    "hi": function_of_numbers(lambda at, x: x >> 8 & 0xFF),
    "min": function_of_numbers(lambda at, a, b: min(a, b)),
    "max": function_of_numbers(lambda at, a, b: max(a, b)),
    "log2": function_of_numbers(lambda at, x: log2(x, at)),
    "len": lambda run, arguments, at, scope, here, seen: len(
        run.text(arguments[0], at, scope, here)
    ),
    "char": lambda run, arguments, at, scope, here, seen: character(
        run.text(arguments[0], at, scope, here), run.number(arguments[1], scope, here, seen), at
    ),
}
