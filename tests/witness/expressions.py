"""Tokens, expressions and their values, for the witness: see assembler.py.

Expressions are tuples whose first element says what they are and whose second says where they
stand, as (file, line).
"""

import re

LIMIT = 1 << 63
OPERATORS = [  # from weakest to strongest, as in C
    ["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"],
    ["+", "-"], ["*", "/", "%"],
]
STRENGTH = {operator: level for level, row in enumerate(OPERATORS) for operator in row}
ARGUMENTS = {"lo": 1, "hi": 1, "min": 2, "max": 2, "log2": 1, "len": 1, "char": 2}
ESCAPES = {"n": "\n", "\\": "\\", "'": "'", '"': '"', "0": "\0"}
TOKEN = re.compile(
    r"""(?P<space>[ \t]+)
      | (?P<comment>;.*)
      | (?P<number>[0-9][0-9A-Za-z_]*)
      | (?P<char>'(?:\\.|[^'\\])')
      | (?P<text>"(?:\\.|[^"\\])*")
      | (?P<directive>\.[A-Za-z]+)
      | (?P<name>@?[A-Za-z_][A-Za-z0-9_]*)
      | (?P<sign>&&|\|\||==|!=|<=|>=|<<|>>|->|[-?:(),\#=<>+*/%!~&|^${}])""",
    re.VERBOSE,
)
NUMBER = re.compile(
    r"0[xX](?P<hex>[0-9A-Fa-f_]+)$|0[bB](?P<bin>[01_]+)$|0[oO](?P<oct>[0-7_]+)$|(?P<dec>[0-9_]+)$"
)


class Fault(Exception):
    """An error in the program: its class and its place."""

    def __init__(self, kind, at, message, callers=None):
        super().__init__(message)
        self.kind, self.at, self.message, self.callers = kind, at, message, callers


def unescape(text, at):
    """The characters of a literal between its quotes."""
    def character(match):
        if match[1] not in ESCAPES:
            raise Fault("syntax", at, f"no escape: {match[0]}")
        return ESCAPES[match[1]]
    return re.sub(r"\\(.)", character, text)


def number_of(text, at):
    """The value of a literal number."""
    match = NUMBER.match(text)
    digits = match and match[match.lastgroup]
    if not digits or digits.startswith("_") or digits.endswith("_"):
        raise Fault("syntax", at, f"not a number: {text}")
    base = {"hex": 16, "bin": 2, "oct": 8, "dec": 10}[match.lastgroup]
    value = int(digits.replace("_", ""), base)
    if value >= LIMIT:
        raise Fault("syntax", at, f"more than 64 bits: {text}")
    return value


class Tokens:
    """The tokens of a line, read from the left."""

    def __init__(self, text, at):
        self.at, self.tokens, self.next = at, [], 0
        self.starts, self.ends = [], []
        start = 0
        while start < len(text):
            match = TOKEN.match(text, start)
            if not match:
                raise Fault("syntax", at, f"no token: {text[start:]}")
            if match.lastgroup not in ("space", "comment"):
                self.tokens.append((match.lastgroup, match[0]))
                self.starts.append(start)
                self.ends.append(match.end())
            start = match.end()
        self.tokens += [("end", "")] * 2

    def peek(self, ahead=0):
        return self.tokens[self.next + ahead]

    def take(self, kind=None, token=None):
        """The next token. An error if it does not have the given kind or is not the given token."""
        found = self.peek()
        if (kind and found[0] != kind) or (token and found[1] != token):
            self.fail(f"expected {token or kind}")
        self.next += 1
        return found[1]

    def accept(self, token):
        """Takes the next token if it is this sign. Returns whether it did."""
        is_there = self.peek() == ("sign", token)
        self.next += is_there
        return is_there

    def fail(self, expected):
        raise Fault("syntax", self.at, f"{expected}, found `{self.peek()[1]}`")

    def end(self):
        if self.peek()[0] != "end":
            self.fail("expected the end of the line")

    def touches(self):
        """True if no space precedes the next token, as in `row{r}`."""
        return self.next < len(self.starts) and self.ends[self.next - 1] == self.starts[self.next]

    def name(self):
        """A name as a list of its parts, which are strings and expressions."""
        parts = [self.take("name")]
        while self.touches():
            if self.accept("{"):
                parts.append(self.expression())
                self.take("sign", "}")
            elif len(parts) > 1 and self.peek()[0] in ("name", "number"):
                parts.append(self.take())
            else:
                break
        return parts

    def plain_name(self):
        """A global name without expressions in it."""
        name = self.take("name")
        if name.startswith("@"):
            raise Fault("syntax", self.at, f"{name} cannot be local")
        return name

    def path(self):
        """The name of a file, which has no escapes."""
        return self.take("text")[1:-1]

    def text(self):
        return unescape(self.take("text")[1:-1], self.at)

    def items(self, item):
        """A list of items that `item` reads, separated by commas. At least one."""
        found = [item()]
        while self.accept(","):
            found.append(item())
        return found

    def in_brackets(self, item):
        """The same in parentheses, possibly empty."""
        self.take("sign", "(")
        if self.accept(")"):
            return []
        found = self.items(item)
        self.take("sign", ")")
        return found

    def expression(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        yes = self.expression()
        self.take("sign", ":")
        return ("choice", self.at, condition, yes, self.expression())

    def binary(self, weakest):
        """Operands with operators of at least this precedence."""
        left = self.unary()
        while self.peek()[0] == "sign" and STRENGTH.get(self.peek()[1], -1) >= weakest:
            operator = self.take()
            left = ("binary", self.at, operator, left, self.binary(STRENGTH[operator] + 1))
        return left

    def unary(self):
        for operator in "!~-":
            if self.accept(operator):
                return ("unary", self.at, operator, self.unary())
        return self.primary()

    def primary(self):
        kind, token = self.peek()
        if kind == "number":
            return ("number", self.at, number_of(self.take(), self.at))
        if kind == "char":
            character = unescape(self.take()[1:-1], self.at)
            return ("number", self.at, ord(character))
        if self.accept("$"):
            return ("here", self.at)
        if self.accept("("):
            inner = self.expression()
            self.take("sign", ")")
            return ("brackets", self.at, inner)
        if kind == "name":
            if self.peek(1) == ("sign", "("):
                function = self.take()
                arguments = self.in_brackets(self.argument)
                if len(arguments) != ARGUMENTS.get(function, len(arguments)):
                    raise Fault("arguments", self.at, function)
                return ("call", self.at, function, arguments)
            return ("name", self.at, self.name())
        self.fail("expected a value")

    def argument(self):
        """An argument of a function: an expression or a string."""
        if self.peek()[0] == "text":
            return ("text", self.at, self.text())
        return self.expression()

    def operand(self):
        """An operand of an instruction or a macro: the same, or a constant of the pool."""
        if self.accept("#"):
            return ("pooled", self.at, self.expression())
        return self.argument()


def truncated(a, b):
    """a / b, rounded towards zero, and the remainder."""
    quotient = abs(a) // abs(b)
    quotient = quotient if (a < 0) == (b < 0) else -quotient
    return quotient, a - quotient * b


def wrapped(value):
    """The low 64 bits as a signed number."""
    return (value + LIMIT) % (2 * LIMIT) - LIMIT


def apply(operator, a, b, at):
    """The value of a binary operator that evaluates both operands."""
    if operator in ("<<", ">>"):
        if not 0 <= b <= 63:
            raise Fault("arithmetic", at, f"shift by {b}")
        return wrapped(a << b) if operator == "<<" else a >> b
    if operator in ("/", "%"):
        if b == 0:
            raise Fault("arithmetic", at, "division by zero")
        quotient, rest = truncated(a, b)
        if not -LIMIT <= quotient < LIMIT:
            raise Fault("arithmetic", at, "overflow")
        return quotient if operator == "/" else rest
    value = {
        "|": lambda: a | b, "^": lambda: a ^ b, "&": lambda: a & b,
        "==": lambda: a == b, "!=": lambda: a != b, "<": lambda: a < b, "<=": lambda: a <= b,
        ">": lambda: a > b, ">=": lambda: a >= b,
        "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
    }[operator]()
    if not -LIMIT <= value < LIMIT:
        raise Fault("arithmetic", at, "overflow")
    return int(value)
