"""A second assembler for the Gray-1, the witness.

It is written from docs/LANGUAGE.md and docs/MACHINE.md, by someone who had not read the source of
the assembler in assembler/; where the page was silent, it does what that one was seen to do, and
the page says it now. It is slow and simple. Where both make the same image of a program, both
understand the page in the same way. It stops at the first error, and it knows no warnings.

A program is placed from the top again and again, each time with the `Plan` that the last time has
found: the constants of `.pool` and the calls of each routine. When a plan leads to itself, the
operands are worked out.
"""

from dataclasses import dataclass, field, replace

from expressions import Fault, Tokens
from syntax import MNEMONICS, parse
from values import Scope, Value, Values

WORDS = 8192
BYTES = 8192
PANEL = 0x1FE0
ERASED = 0xFFFF
DEPTH = 256  # of macros in macros
REPEATS = 262_144
IN_STRUCTURES = {
    "nothing", "constant", ".default", "expansion", ".var", ".repeat", ".if", ".macro", ".function", ".assert",
    ".error", ".allow", ".show", ".grid", ".legend", ".count", ".result", ".title",
    ".why",
}
CALLERS = 256
CAPTION = 24
PASSES = 60


@dataclass
class Frame:
    """A placed routine."""

    name: str
    statement: dict
    entry: int
    end: int = 0  # the index of the return
    address: int = 0  # of its first parameter
    number: int = 0  # the address of the number of its call


@dataclass
class Word:
    """An instruction, or a plain word if it has no mnemonic. `live` if it is in the image."""

    mnemonic: str | None
    operand: object  # a Value, a number, or a function that gives one at the end
    at: tuple
    callers: tuple
    index: int
    live: bool


@dataclass
class Plan:
    pool: list = field(default_factory=list)  # the values
    calls: dict = field(default_factory=dict)  # routine -> how many call it, if any


def gray(number):
    return number ^ number >> 1


class Pass(Values):
    """Places the program once."""

    def __init__(self, files, lines, plan, known, defines):
        self.files, self.lines, self.plan, self.known = files, lines, plan, known
        self.defines, self.defaults = defines, set()
        self.index, self.address = 0, 0
        self.words, self.taken = [], set()
        self.globals, self.macros, self.functions, self.routines = {}, {}, {}, {}
        self.included, self.pool = set(), None
        self.calls = []  # (the frame that calls or None, the name of the callee, the call)
        self.returns = {}  # for each routine the indexes behind its calls
        self.structure = None  # its name, and the size so far
        self.frame, self.live, self.counts = None, True, {}
        self.constants = []
        self.faults = []
        self.later = []  # what is checked when all names are known

    def run(self, main):
        self.included.add(main)
        self.block(self.file(main), Scope(self.globals, None, self.globals))

    def file(self, name):
        """The statements of a file. Each file is read once."""
        if name not in self.lines:
            self.lines[name] = parse(name, self.files(name))
        return self.lines[name]

    # ---- Lines

    def block(self, body, scope):
        """Places lines. Returns the scope after them, which a label may have changed."""
        for line in body:
            try:
                if self.structure and (line["labels"] or line["do"] not in IN_STRUCTURES):
                    raise Fault("syntax", line["at"], "only `.var` in a structure")
                for parts in line["labels"]:
                    scope = self.label(parts, scope, line["at"])
                place = getattr(self, "do_" + line["do"].strip("."), self.instruction)
                scope = place(line, scope) or scope
            except Fault as fault:
                if fault.callers is None:
                    fault.callers = scope.callers
                raise
        return scope

    def label(self, parts, scope, at):
        name = self.built(parts, scope, self.index)
        if not name.startswith("@"):
            scope = replace(scope, locals={})
        self.define(scope, name, self.index, at)
        return scope

    def emit(self, mnemonic, operand, line, scope):
        if self.live:
            if self.index >= WORDS:
                raise Fault("full", line["at"], "program memory is full")
            if self.index in self.taken:
                raise Fault("overlap", line["at"], "two instructions at one index")
            self.taken.add(self.index)
        word = Word(mnemonic, operand, line["at"], scope.callers, self.index, self.live)
        self.words.append(word)
        self.index += 1

    def instruction(self, line, scope):
        if line["do"] == "HALT":
            index = self.index
            return self.emit("JMP", lambda: index, line, scope)
        operand = 0
        if line["do"] != "SHR":
            operand = Value(line["operand"], scope, self.index)
        self.emit(line["do"], operand, line, scope)

    def do_nothing(self, line, scope):
        pass

    def do_word(self, line, scope):
        self.emit(None, Value(line["value"], scope, self.index), line, scope)

    def do_org(self, line, scope):
        self.index = self.ranged(line["value"], 0, WORDS - 1, scope)

    def do_ram(self, line, scope):
        self.address = self.ranged(line["value"], 0, BYTES - 1, scope)

    def reserve(self, size, line):
        """Reserves this many bytes of data memory and returns their address."""
        if not self.live:
            return 0
        address = self.address
        self.address += size
        if self.address > PANEL:
            raise Fault("memory", line["at"], "data memory is full")
        return address

    def do_var(self, line, scope):
        name = self.built(line["name"], scope, self.index)
        size = self.size_of(line, scope)
        if self.structure:
            structure, offset = self.structure
            self.structure[1] += size
            return self.define(scope, f"{structure}_{name}", offset, line["at"])
        self.define(scope, name, self.reserve(size, line), line["at"])

    def do_seed(self, line, scope):
        if self.built(line["name"], scope, self.index).startswith("@"):
            raise Fault("local", line["at"], "a seed is global")
        return self.do_var(line, scope)

    def size_of(self, line, scope):
        return self.ranged(line["size"], 0, BYTES, scope) if line["size"] else 1

    def do_pool(self, line, scope):
        if self.pool is not None:
            raise Fault("duplicate", line["at"], ".pool")
        self.pool = self.reserve(len(self.plan.pool), line)
        for number, value in enumerate(self.plan.pool):
            self.emit("LDI", value, line, scope)
            self.emit("ST", self.pool + number, line, scope)

    def do_struct(self, line, scope):
        name = self.built(line["name"], scope, self.index)
        self.structure = [name, 0]
        self.block(line["body"], scope)
        (_, size), self.structure = self.structure, None
        self.define(scope, name, size, line["at"])

    def do_repeat(self, line, scope):
        count = self.ranged(line["count"], 0, REPEATS, scope)
        for number in range(count):
            names = {line["index"]: number} if line["index"] else {}
            inner = Scope(names, scope, scope.home, {}, scope, scope.callers)
            self.block(line["body"], inner)

    def do_if(self, line, scope):
        while line:
            if "value" not in line or self.number(line["value"], scope, self.index):
                return self.block(line["body"], scope)
            line = line.get("otherwise")
        return scope

    def do_macro(self, line, scope):
        name = self.built(line["name"], scope, self.index)
        self.unique(self.macros, name, line["at"])
        self.macros[name] = {**line, "scope": scope}

    def do_expansion(self, line, scope):
        """A call of a macro."""
        called = self.built(line["name"], scope, self.index)
        macro = self.macros.get(called)
        if not macro:
            raise Fault("unknown", line["at"], called)
        names = {}
        parameters = [name for name, _ in macro["parameters"]]
        for number, (name, node) in enumerate(line["arguments"]):
            if name is None and (number >= len(parameters) or line["arguments"][number - 1][0]
                                 and number):
                raise Fault("arguments", line["at"], "too many, or after a named one")
            name = name or parameters[number]
            if name not in parameters or name in names:
                raise Fault("arguments", line["at"], name)
            names[name] = Value(node, scope, self.index, "parameter")
        callers = (line["at"], *scope.callers)
        if len(callers) > DEPTH:
            raise Fault("recursion", line["at"], called)
        written = macro["scope"]
        inner = Scope(names, written, written.home, {}, scope, callers)
        for name, default in macro["parameters"]:
            if name not in names:
                if default is None:
                    raise Fault("arguments", line["at"], f"no {name}")
                names[name] = Value(default, inner, self.index, "parameter")
        self.block(macro["body"], inner)

    def do_function(self, line, scope):
        self.unique(self.functions, line["name"], line["at"])
        self.functions[line["name"]] = {**line, "scope": scope}

    def do_include(self, line, scope):
        name = self.files.resolve(line["at"][0], line["text"])
        if name is None or "\\" in line["text"]:
            raise Fault("include", line["at"], line["text"])
        if name in self.included:
            return scope
        self.included.add(name)
        return self.block(self.file(name), scope)

    def do_assert(self, line, scope):
        self.later.append((line, scope, self.index))

    def do_error(self, line, scope):
        raise Fault("error", line["at"], line["text"])

    def do_constant(self, line, scope):
        name = self.built(line["name"], scope, self.index)
        value = Value(line["value"], scope, self.index)
        self.define(scope, name, value, line["at"])
        self.constants.append(value)

    def do_default(self, line, scope):
        """A constant whose value may come from the command line."""
        name = line["name"]
        if scope.home is not self.globals:
            raise Fault("block", line["at"], "`.default` in a routine")
        self.defaults.add(name)
        given = self.defines.get(name)
        node = line["value"] if given is None else Tokens(given, line["at"]).operand()
        self.do_constant({**line, "name": [name], "value": node}, scope)

    def do_allow(self, line, scope):
        pass

    def limited(self, line, most):
        if len(line.get("caption") or "") > CAPTION:
            raise Fault("presentation", line["at"], "a long caption")
        count = self.counts[line["do"]] = self.counts.get(line["do"], 0) + 1
        if count > most:
            raise Fault("presentation", line["at"], "too many")

    def do_legend(self, line, scope):
        self.limited(line, 8)

    do_count = do_legend

    do_why = do_allow

    def do_show(self, line, scope):
        self.limited(line, 8)
        for node in line["addresses"]:
            self.ranged(node, 0, BYTES - 1, scope)

    def do_grid(self, line, scope):
        self.do_show(line, scope)
        size = self.ranged(line["size"], 1, BYTES, scope)
        if size > 8 and size % 8:
            raise Fault("presentation", line["at"], "the size of a grid")

    def do_result(self, line, scope):
        self.limited(line, 1)

    do_title = do_result

    # ---- Routines

    def do_routine(self, line, scope):
        """Places a routine if it is called. Otherwise only checks it for errors."""
        if self.frame:
            raise Fault("block", line["at"], "a routine in a routine")
        name = self.built(line["name"], scope, self.index)
        self.unique(self.routines, name, line["at"])
        frame = self.routines[name] = Frame(name, line, self.index)
        calls = self.plan.calls.get(name, 0)
        self.frame, self.live, start = frame, calls > 0, self.index
        frame.address, names = self.address, {}
        inner = Scope(names, scope, names, {}, scope, scope.callers)
        for name in [*line["parameters"], *filter(None, [line["result"]])]:
            self.define(inner, name, self.reserve(1, line), line["at"])
        if calls > 1:
            frame.number = self.reserve(1, line)
        inner = self.block(line["body"], inner)
        frame.end = self.index
        if calls:
            self.emit_return(frame, calls, line["end"], inner)
        self.frame, self.live = None, True
        if not calls:
            self.index = start

    def do_return(self, line, scope):
        if not self.frame:
            raise Fault("routine", line["at"], "`.return` outside a routine")
        frame, calls = self.frame, self.plan.calls.get(self.frame.name, 0)
        target = self.return_site(frame, 0) if calls == 1 else lambda: frame.end
        self.emit("JMP", target, line, scope)

    def emit_return(self, frame, calls, line, scope):
        """Places the return: selects the caller by the bits of its number, lowest first."""
        if calls == 1:
            return self.emit("JMP", self.return_site(frame, 0), line, scope)
        self.emit("LD", frame.number, line, scope)
        self.decide(frame, list(range(calls)), line, scope)

    def return_site(self, frame, number):
        """The index after a call, once all calls are placed. Arbitrary if this plan is wrong."""
        return lambda: dict(enumerate(self.returns.get(frame.name, []))).get(number, 0)

    def decide(self, frame, numbers, line, scope):
        even, odd = numbers[::2], numbers[1::2]
        self.emit("SHR", 0, line, scope)
        branch = {}
        if len(odd) == 1:
            self.emit("JC", self.return_site(frame, odd[0]), line, scope)
        else:
            self.emit("JC", lambda: branch["target"], line, scope)
        if len(even) == 1:
            self.emit("JMP", self.return_site(frame, even[0]), line, scope)
        else:
            self.decide(frame, even, line, scope)
        branch["target"] = self.index
        if len(odd) > 1:
            self.decide(frame, odd, line, scope)

    def do_call(self, line, scope):
        name, arguments = self.built(line["name"], scope, self.index), line["arguments"]
        self.calls.append((self.frame, name, line))
        self.later.append((line, scope, name))
        # A routine that is defined later is known from the previous pass.
        known = self.known.get(name)
        routine = known.statement if known else {"parameters": arguments, "result": None}
        start = self.index

        def byte(offset):
            return lambda: self.routine(name, line, scope).address + offset

        if self.plan.calls.get(name, 0) > 1:
            self.emit("LDI", len(self.returns.get(name, [])), line, scope)
            self.emit("ST", lambda: self.routine(name, line, scope).number, line, scope)
        for number, node in enumerate(arguments):
            found, inner, here = self.resolve(node, scope, start)
            if found[0] == "pooled":
                self.emit("LDI", Value(found[2], inner, here), line, scope)
            else:
                self.emit("LD", Value(node, scope, start), line, scope)
            self.emit("ST", byte(number), line, scope)
        self.emit("JMP", lambda: self.routine(name, line, scope).entry, line, scope)
        if self.live:
            self.returns.setdefault(name, []).append(self.index)
        if routine["result"]:
            self.emit("LD", byte(len(routine["parameters"])), line, scope)

    def check_later(self):
        for later in self.later:
            self.attempt(self.check, *later)

    def check(self, line, scope, here):
        if line["do"] == ".assert":
            if not self.number(line["value"], scope, here):
                raise Fault("assert", line["value"][1], line["text"], scope.callers)
            return
        frame = self.routine(here, line, scope)
        if len(line["arguments"]) != len(frame.statement["parameters"]):
            raise Fault("arguments", line["at"], here, scope.callers)

    def routine(self, name, line, scope):
        if name not in self.routines:
            raise Fault("unknown", line["at"], name, scope.callers)
        return self.routines[name]

    def live_calls(self):
        """The calls of each routine that the program reaches."""
        reached, count = {None}, -1
        while count != len(reached):
            count = len(reached)
            reached |= {name for caller, name, _ in self.calls
                        if name_of(caller) in reached and name in self.routines}
        return {
            name: sum(callee == name and name_of(caller) in reached
                      for caller, callee, _ in self.calls)
            for name in reached - {None}
        }

    def check_recursion(self):
        def visit(name, path):
            for caller, callee, line in self.calls:
                if name_of(caller) == name:
                    if callee in path:
                        raise Fault("routine", line["at"], "recursion")
                    visit(callee, (*path, callee))
        for name in self.routines:
            self.attempt(visit, name, (name,))

    # ---- Operands

    def bits(self, word, pooled):
        """The sixteen bits of a word. `pooled` has the values of the pool so far."""
        try:
            return self.encoded(word, pooled)
        except Fault as fault:
            if fault.callers is None:
                fault.callers = word.callers
            raise

    def encoded(self, word, pooled):
        operand, callers = word.operand, word.callers
        if callable(operand):
            operand = operand() if word.live else 0
        mnemonic = word.mnemonic
        if isinstance(operand, Value):
            node, scope, here = self.resolve(operand.node, operand.scope, operand.here)
            if node[0] == "pooled":
                operand = self.pooled(mnemonic, word, (node, scope, here), pooled)
            else:
                operand = self.number(operand.node, operand.scope, operand.here)
        if not word.live:
            # A routine that is never called has no address, so its numbers are meaningless.
            return None
        if mnemonic is None:
            return self.within(operand, 0, 0xFFFF, word.at, callers)
        if mnemonic == "LDI":
            operand = self.within(operand, -128, 255, word.at, callers) & 0xFF
        self.within(operand, 0, WORDS - 1, word.at, callers)
        if mnemonic in ("JC", "JMP"):
            operand = gray(operand)
        return MNEMONICS.index(mnemonic) << 13 | operand

    def pooled(self, mnemonic, word, value, pooled):
        """The address of a constant of the pool."""
        if mnemonic not in ("LD", "ADD", "NAND"):
            raise Fault("operand", word.at, f"{mnemonic} #", word.callers)
        node, scope, here = value
        number = self.number(node[2], scope, here)
        number = self.within(number, -128, 255, node[1], scope.callers) & 0xFF
        if not word.live:
            return 0
        if self.pool is None:
            raise Fault("pool", word.at, "no .pool", word.callers)
        if number not in pooled:
            pooled.append(number)
        return self.pool + self.plan.pool.index(number) if number in self.plan.pool else 0

    def check_constant(self, value):
        """A constant has a value even if nothing uses it."""
        node, scope, here = self.resolve(value.node, value.scope, value.here)
        if node[0] != "text":
            self.number(node[2] if node[0] == "pooled" else node, scope, here)

    def attempt(self, work, *arguments):
        try:
            return work(*arguments)
        except Fault as fault:
            self.faults.append(fault)
            return None

    def link(self):
        """The words by their indexes, and the plan that they require. Errors go to `faults`,
        because another plan may not have them."""
        self.check_later()
        self.check_recursion()
        for value in self.constants:
            self.attempt(self.check_constant, value)
        calls = self.live_calls()
        for name, count in calls.items():
            at = self.routines[name].statement["at"]
            self.attempt(self.within, count, 0, CALLERS, at, ())
        pooled, words = [], {}
        for word in self.words:
            bits = self.attempt(self.bits, word, pooled)
            if word.live:
                words[word.index] = bits
        return words, Plan(pooled, calls)


def name_of(frame):
    return frame.name if frame else None


def assemble(files, main, defines):
    """The words of a program by their indexes; a Fault if it has an error. `defines` are values
    for its `.default`s, as they are written."""
    lines, plan, known = {}, Plan(), {}
    for _ in range(PASSES):
        run = Pass(files, lines, plan, known, defines)
        run.run(main)
        words, found = run.link()
        recursion = [fault for fault in run.faults if fault.kind == "routine"]
        if recursion or found == plan and known.keys() == run.routines.keys():
            for fault in recursion or run.faults:
                raise fault
            for name in defines.keys() - run.defaults:
                raise Fault("undefined", (main, 0), f"no .default {name}")
            return words
        plan, known = found, run.routines
    raise Fault("pool", (main, 1), "the sizes never become stable")


def place_of(fault, main):
    """The place where an error is reported. For an include file, the calling program's line."""
    places = (fault.at, *(fault.callers or ()))
    return next((place for place in places if place[0] == main), fault.at)


def burn(words):
    """The bytes of the program's EPROM. Byte k of the program is at the Gray code of k."""
    image = bytearray(b"\xff" * (2 * WORDS))
    for index, word in words.items():
        image[gray(2 * index)] = word >> 8
        image[gray(2 * index + 1)] = word & 0xFF
    return bytes(image)
