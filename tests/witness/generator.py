"""Random programs for the witness, see assembler.py: as rich as the language, and most of them
right. Some have a mistake on purpose.

What a program means does not matter here. So names are short and instructions are arbitrary, but
each name is used as what it is: a number, an address or a place to go to.
"""

from dataclasses import dataclass, field, replace

COMPARE = ["==", "!=", "<", "<=", ">", ">="]
WEAK = ["|", "^", "&", "&&", "||", *COMPARE]
PLAIN = [*WEAK, "+", "-"]
CHARACTERS = ["'A'", "'\\n'", "'0'", "'\\''", "'\"'", "'\\\\'", "' '", "';'", "'\\0'"]
TEXTS = ['"Gray"', '"a;b"', '"\\"\\\\"', '"\\n\\0x"', '"é"', '"queens, 8"']


@dataclass
class Names:
    """The names that are visible at a place."""

    numbers: list = field(default_factory=list)  # known above
    late: list = field(default_factory=list)  # known in the end
    addresses: list = field(default_factory=list)
    bytes: list = field(default_factory=list)  # parameters that may stand for a `#`
    targets: list = field(default_factory=list)
    texts: list = field(default_factory=list)
    macros: dict = field(default_factory=dict)  # name -> the kinds of its parameters
    functions: dict = field(default_factory=dict)  # name -> how many parameters
    late_functions: dict = field(default_factory=dict)
    routines: dict = field(default_factory=dict)  # name -> how many parameters
    in_routine: bool = False
    depth: int = 0

    def inner(self, **more):
        """A copy whose lists can grow, with these added."""
        lists = {
            name: [*getattr(self, name), *more.get(name, [])]
            for name in ("numbers", "late", "addresses", "bytes", "targets", "texts")
        }
        return replace(self, **lists, depth=self.depth + 1)


class Generator:
    def __init__(self, random):
        self.random, self.lines, self.count = random, [], 0
        self.calls_routine = False
        self.calling = set()  # the macros that call routines
        self.has_pool = self.chance(0.7)
        self.files, self.defines = {}, {}

    # ---- Small things

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        return self.random.choice(list(items))

    def below(self, number):
        return self.random.randrange(number)

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def line(self, label, statement, names):
        if statement.startswith((".",)) and not label:
            text = "  " * names.depth + statement
        else:
            text = f"{label:7} {statement}"
        if self.chance(0.1):
            text = text.replace(" LD", " ld").replace(" ADD", " Add").replace(".repeat", ".REPEAT")
        if self.chance(0.08):
            text += self.pick(["  ; why: \"not\"", ";", " ;; no caption, 'x", "\t"])
        self.lines.append(text.rstrip(" "))

    # ---- Expressions

    def literal(self):
        number = self.pick([self.below(4), self.below(300), self.below(70000)])
        form = self.below(7)
        if form < 3:
            return str(number)
        if form == 6:
            return self.pick(CHARACTERS)
        text = [f"0x{number:x}", f"0b{number:b}", f"0o{number:o}"][form - 3]
        return text[:4] + "_" + text[4:] if len(text) > 5 and self.chance(0.3) else text

    def text(self, names):
        return self.pick([*TEXTS, *names.texts])

    def atom(self, names, early, depth):
        """A number, a name, a call or an expression in parentheses."""
        known = names.numbers if early else names.numbers + names.late
        form = self.below(12)
        if form < 5 and known:
            return self.pick(known)
        if form == 5 and depth > 0:
            return f"({self.expression(names, early, depth - 1)})"
        if form == 6:
            return self.pick("-~!") + self.atom(names, early, depth - 1)
        if form == 7 and not (early and self.moves):
            return "$"
        if form > 7 and depth > 0:
            return self.called(names, early, depth)
        return self.literal()

    def called(self, names, early, depth):
        def inner():
            return self.expression(names, early, depth - 1)
        functions = names.functions if early else {**names.functions, **names.late_functions}
        form = self.below(10)
        if form < 4 and functions:
            name = self.pick(functions)
            return f"{name}({', '.join(inner() for _ in range(functions[name]))})"
        if form == 4:
            return f"log2({1 << self.below(13)})"
        if form == 5:
            return f"len({self.text(names)})"
        if form == 6:
            return f"char({self.text(names)}, {self.below(2)})"
        name = self.pick(["lo", "hi", "min", "max"])
        return f"{name}({inner()}, {inner()})" if name[0] == "m" else f"{name}({inner()})"

    def expression(self, names, early=False, depth=2):
        """An expression of any value, sometimes an invalid one such as 1 / 0."""
        text = self.atom(names, early, depth)
        is_shift = False
        for _ in range(self.pick([0, 0, 1, 1, 2, 3])):
            # An operator of higher precedence would become part of the shift count, at most 63.
            form = 0 if is_shift else self.below(16)
            space = "" if self.chance(0.2) else " "
            if form < 11:
                operator = self.pick(WEAK if is_shift else PLAIN)
                right = self.atom(names, early, depth - 1)
                is_shift = False
            elif form < 13:
                operator, right = self.pick("/%"), str(self.below(9) + (not self.chance(0.02)))
            elif form < 15:
                operator, right = self.pick(["<<", ">>"]), str(self.below(5))
                is_shift = True
            else:
                operator, right = "*", self.atom(names, early, depth - 1)
            text = f"{text}{space}{operator}{space}{right}"
        if depth > 0 and self.chance(0.15):
            yes, no = (self.expression(names, early, depth - 1) for _ in range(2))
            text = f"{text} ? {yes} : {no}"
        return text

    def small(self, names, most, early=False):
        """An expression from 0 to below `most`, a power of two."""
        if self.chance(0.3):
            return str(self.below(most))
        inner = self.expression(names, early)
        return f"({inner}) & {most - 1}" if self.chance(0.7) else f"lo({inner}) % {most}"

    def number(self, names):
        """The operand of `LDI`."""
        form = self.below(6)
        if form < 2:
            return f"lo({self.expression(names)})"
        if form < 4:
            return f"({self.expression(names)}) & 0xff"
        return str(self.below(384) - 128) if form == 4 else self.small(names, 128)

    def address(self, names):
        if names.addresses and self.chance(0.85):
            text = self.pick(names.addresses)
            return f"{text} + {self.small(names, 4)}" if self.chance(0.3) else text
        return f"0x1f{self.pick('ef')}{self.below(16):x}"

    def byte(self, names):
        """The operand of `ADD`."""
        if names.bytes and self.chance(0.3):
            return self.pick(names.bytes)
        if self.has_pool and self.chance(0.5):
            return self.pooled(names)
        return self.address(names)

    def pooled(self, names):
        """A constant of the pool. If it moved the pool, there could be several right images."""
        if self.chance(0.5):
            return f"#{self.below(20) - 10}"
        known = replace(names, numbers=[*names.numbers, "FAR"])
        return f"#lo({self.expression(known, True)})"

    def target(self, names):
        if names.targets and self.chance(0.85):
            text = self.pick(names.targets)
            return f"{text} + {self.below(3)}" if self.chance(0.1) else text
        return self.pick(["$", f"$ + {self.below(9)}", str(self.below(8192))])

    # ---- Lines

    def instruction(self, names, label=""):
        form = self.below(9)
        if form < 2:
            text = f"LDI  {self.number(names)}"
        elif form < 6:
            word = self.pick(["LD", "ADD", "NAND"])
            text = f"{word:4} {self.byte(names)}"
        elif form == 6:
            text = f"ST   {self.address(names)}"
        elif form == 7:
            text = f"{self.pick(['JC', 'JMP'])}  {self.target(names)}"
        else:
            text = self.pick(["SHR", "HALT", f".word ({self.expression(names)}) & 0xffff"])
        self.line(label, text, names)

    def argument(self, kind, names):
        return {"n": self.number, "a": self.address, "b": self.byte, "t": self.target,
                "s": self.text, "e": lambda names: self.small(names, 16, True)}[kind](names)

    def call_macro(self, names):
        allowed = names.macros.keys() - (self.calling if names.in_routine else set())
        if not allowed:
            return self.instruction(names)
        name = self.pick(sorted(allowed))
        self.calls_routine |= name in self.calling
        parameters = names.macros[name]
        given = []
        for parameter, kind, default in parameters:
            if default and self.chance(0.5):
                break
            given.append((parameter, self.argument(kind, names)))
        first_named = self.below(len(given) + 1) if self.chance(0.4) else len(given)
        named = given[first_named:]
        self.random.shuffle(named)
        texts = [text for _, text in given[:first_named]] + [f"{p} = {text}" for p, text in named]
        self.line("", f"{name} {', '.join(texts)}", names)

    def call_routine(self, names):
        name = self.pick(names.routines)
        self.calls_routine = True
        arguments = []
        for _ in range(names.routines[name]):
            if self.chance(0.5):
                arguments.append("#" + self.number(names))
            else:
                arguments.append(self.pick(names.bytes) if names.bytes else self.address(names))
        self.line("", f".call {name}({', '.join(arguments)})", names)

    def repeat(self, names):
        index = self.pick(["i", "r", "n"])
        most = self.pick([2, 3, 4])
        count = str(most) if self.chance(0.6) else f"1 + (({self.expression(names, True)}) & 3)"
        self.line("", f".repeat {count}" + (f", {index}" if self.chance(0.85) else ""), names)
        has_index = index in self.lines[-1].split(",")[-1]
        inner = names.inner(numbers=[index] if has_index else [])
        if has_index and count == str(most) and not names.in_routine and names.depth == 0:
            label = self.fresh("row")
            self.lines.append(f"{label}_{{{index}}}:")
            other = f"{label}_{{({index} + 1) % {most}}}"
            inner.targets.append(other)
            self.late.append(f"{label}_{{{self.below(most)}}}")
        self.block(inner, 1 + self.below(3))
        self.line("", ".endrepeat", names)

    def conditional(self, names):
        self.line("", f".if {self.expression(names, True)}", names)
        self.block(names.inner(), 1 + self.below(2))
        while self.chance(0.3):
            self.line("", f".elseif {self.expression(names, True)}", names)
            self.block(names.inner(), 1)
        if self.chance(0.5):
            self.line("", ".else", names)
            self.block(names.inner(), 1)
        self.line("", ".endif", names)

    def local_loop(self, names):
        label = self.fresh("@l")
        inner = replace(names, targets=[*names.targets, label])
        self.line(f"{label}:", "", names) if self.chance(0.3) else None
        is_above = self.lines[-1].startswith(f"{label}:")
        for _ in range(self.below(3)):
            self.instruction(inner, "")
        if not is_above:
            self.instruction(inner, f"{label}:")
        self.line("", f"{self.pick(['JC', 'JMP'])}  {label}", names)

    def definition(self, names):
        """A local constant or variable."""
        name = self.fresh("@c")
        if self.chance(0.5):
            self.line("", f".var {name}, {self.small(names, 4, True)}", names)
            names.addresses.append(name)
        elif self.has_pool and self.chance(0.3):
            self.line("", f"{name} = {self.pooled(names)}", names)
            names.bytes.append(name)
        else:
            self.line("", f"{name} = {self.expression(names, True)}", names)
            names.numbers.append(name)

    def block(self, names, count):
        """Lines of a block or of the program."""
        for _ in range(count):
            form = self.below(20)
            if form < 4 and names.macros:
                self.call_macro(names)
            elif form < 6 and names.routines:
                self.call_routine(names)
            elif form == 6 and names.depth < 3:
                self.repeat(names)
            elif form in (7, 8) and names.depth < 3:
                self.conditional(names)
            elif form in (9, 10):
                self.local_loop(names)
            elif form == 11 and names.depth > 0:
                self.definition(names)
            elif form == 12 and names.in_routine:
                self.line("", ".return", names)
            elif form == 13 and self.chance(0.5):
                self.lines.append(self.pick([";; A caption.", ";;", "; a comment", ""]))
            elif form == 14 and self.chance(0.3):
                self.line("", f".assert ({self.expression(names)}) | 1, {self.text(names)}"
                          .replace(", t", ', "t"'), names)
            else:
                self.instruction(names)

    # ---- Definitions

    def constants(self, names):
        for _ in range(1 + self.below(4)):
            name = self.fresh(self.pick("NKq"))
            default = ".default " if self.chance(0.2) else ""
            self.line("", f"{default}{name} = {self.expression(names, True)}", names)
            names.numbers.append(name)
            if default and self.chance(0.5):
                self.defines[name] = self.pick(["0", "3", "0x20", "'A'"])
        if self.has_pool and self.chance(0.4):
            name = self.fresh("c")
            self.line("", f"{name} = {self.pooled(names)}", names)
            names.bytes.append(name)

    def variables(self, names):
        for _ in range(1 + self.below(5)):
            if self.chance(0.1):
                self.line("", f".ram {self.below(60)}", names)
            name = self.fresh("v")
            size = f", {self.small(names, 8, True)}" if self.chance(0.4) else ""
            self.line("", f".var {name}{size}", names)
            names.addresses.append(name)

    def structure(self, names):
        name = self.fresh("s")
        self.line("", f".struct {name}", names)
        fields = [self.fresh("f") for _ in range(1 + self.below(3))]
        for text in fields:
            size = f", {self.small(names, 4, True)}" if self.chance(0.4) else ""
            self.line("", f".var {text}{size}", names.inner())
        self.line("", ".endstruct", names)
        names.numbers += [name, *(f"{name}_{text}" for text in fields)]
        variable = self.fresh("v")
        self.line("", f".var {variable}, {self.pick(['', '2 * '])}{name}", names)
        names.addresses += [variable, f"{variable} + {name}_{self.pick(fields)}"]

    def function(self, names, functions):
        name, parameters = self.fresh("f"), ["a", "b", "c"][: self.below(4)]
        inner = replace(names, numbers=[*parameters, *parameters, *names.numbers], texts=[])
        if parameters and self.chance(0.25):
            value = f"a & 7 ? 1 + {name}({', '.join(['(a & 7) - 1', *parameters[1:]])}) : 3"
        else:
            value = self.expression(inner, True)
        self.line("", f".function {name}({', '.join(parameters)}) = {value}", names)
        functions[name] = len(parameters)

    def macro(self, names):
        name = self.fresh("m")
        parameters = []
        for letter in ["a", "b", "x", "i"][: self.below(5)]:
            kind = self.pick("neabts" if not parameters else "neabt")
            default = ""
            if parameters and (parameters[-1][2] or self.chance(0.3)):
                shown = [p for p, k, _ in parameters if k == "e"]
                default = self.argument(kind, replace(names, numbers=shown or names.numbers))
            parameters.append((letter, kind, default))
        texts = [p + (f" = {default}" if default else "") for p, _, default in parameters]
        if self.chance(0.2):
            self.lines.append(";; What it does.")
        self.line("", f".macro {name} {', '.join(texts)}", names)
        own = {kind: [p for p, k, _ in parameters if k == kind] for kind in "neabts"}
        inner = names.inner(numbers=own["e"], late=own["n"], addresses=own["a"], bytes=own["b"] * 2,
                            targets=own["t"], texts=own["s"])
        inner.depth, self.calls_routine = 1, False
        self.block(inner, 1 + self.below(5))
        self.line("", ".endmacro", names)
        self.add_macro(names, name, parameters)

    def add_macro(self, names, name, parameters):
        names.macros[name] = parameters
        if self.calls_routine:
            self.calling.add(name)

    def recursive_macro(self, names):
        name, self.calls_routine = self.fresh("m"), False
        self.lines += [f".macro {name} n, x = #{self.below(9)}" if self.has_pool else
                       f".macro {name} n, x = 0x1fe0", "  .if n > 0",
                       f"    @half = n / {self.pick([2, 3])}", "        ADD  x"]
        self.block(names.inner(numbers=["n", "@half"]), 1)
        self.lines += [f"        {name} @half, x", "  .endif", ".endmacro"]
        self.add_macro(names, name, [("n", "e", ""), ("x", "b", "y")])

    def routine(self, names, routines):
        """A routine that calls only those that come after it in the list."""
        name, count = routines[0]
        parameters = [self.fresh("p") for _ in range(count)]
        result = self.fresh("p") if self.chance(0.5) else ""
        arrow = f" -> {result}" if result else ""
        self.line("", f".routine {name}({', '.join(parameters)}){arrow}", names)
        own = [*parameters, *([result] if result else [])]
        inner = names.inner(addresses=own * 2)
        inner.routines, inner.in_routine, inner.depth = dict(routines[1:]), True, 1
        if self.chance(0.6):
            variable = self.pick(["t", "u"])
            self.line("", f".var {variable}, {self.small(names, 4, True)}", inner)
            inner.addresses.append(variable)
        if self.chance(0.3):
            shown = [text for text in names.numbers if text != "hidden"]
            shown = replace(inner, numbers=shown)
            self.line("", f"hidden = {self.expression(shown, True)}", inner)
            inner.numbers.append("hidden")
        for _ in range(self.below(3)):
            label = self.fresh("next")
            self.line(f"{label}:", "", inner)
            inner.targets.append(label)
            self.block(inner, 1 + self.below(3))
        self.block(inner, 1 + self.below(3))
        self.line("", ".endroutine", names)

    def presentation(self, names):
        address = names.addresses[0]
        self.lines += self.random.sample([
            '.title "A test"', f".show {address}", f'.show {address} + 1, "it"',
            f'.grid {address}, 8, "Q", rows = {address}', f'.grid 64, 64, "x", index = {address}',
            '.legend red, "queen"', '.count green, "cells"', '.result "solution"',
            ".allow unused, unwritten, carry", ".allow number",
        ], 1 + self.below(4))

    # ---- Programs

    def program(self):
        """The lines of a program. Adds its include files to `files`."""
        names, self.late = Names(late=["END", "LAST"]), []
        labels = [self.fresh("L") for _ in range(2 + self.below(4))]
        routines = [(self.fresh("R"), self.below(4)) for _ in range(self.pick([0, 0, 1, 2, 3, 5]))]
        # Conditions must not depend on indexes that they change.
        self.moves = self.has_pool or bool(routines)
        names.targets, names.routines = [*labels, "END"], dict(routines)
        self.lines.append("hidden = 77")
        names.numbers.append("hidden")
        for _ in range(self.below(3)):
            self.function(names, names.functions)
        late = self.fresh("f")
        names.late_functions = {late: 1}
        self.constants(names)
        self.variables(names)
        if self.chance(0.5):
            self.structure(names)
        if self.chance(0.3):
            self.presentation(names)
        for _ in range(self.below(4)):
            self.macro(names)
        if self.chance(0.4):
            self.recursive_macro(names)
        if self.chance(0.35):
            self.include(names)
        if self.chance(0.3):
            self.lines.append(f".org {self.pick(['16', '0x100', '$ + 3', 'hidden'])}")
        if self.has_pool:
            self.lines.append(".pool")
        inside = self.below(len(routines) + 1)
        for label in labels:
            self.line(f"{label}:", "", names)
            names.late.append(label)
            names.late += self.late
            self.late = []
            self.block(names, 1 + self.below(5))
        self.lines.append("        HALT")
        for position in range(len(routines)):
            self.routine(names, routines[position:])
            if position == inside:
                self.block(names, 2)
        self.lines += [f".function {late}(x) = x + END", "END:    HALT",
                       f"LAST = END + {self.below(9)}", f"FAR = {self.below(99)}"]

    def include(self, names):
        """Moves some lines to a separate file, or includes a library."""
        if self.chance(0.4):
            self.lines.append(f'.include "{self.pick(["lib/panel.asm", "lib/std.asm"])}"')
            if "std" in self.lines[-1] and self.has_pool:
                names.macros.update(copy=[("from", "a", ""), ("to", "a", "")],
                                    bz=[("a", "a", ""), ("target", "t", "")],
                                    xor=[("a", "a", ""), ("b", "a", "")])
            return
        before, self.lines = self.lines, []
        self.constants(names)
        self.macro(names)
        if self.chance(0.3):
            self.lines.append('.include "lib/panel.asm"')
        self.files["part.asm"], self.lines = self.lines, before
        self.lines += ['.include "part.asm"'] * self.pick([1, 1, 2])


MISTAKES = [
    ["        LDI  missing"], ["        JMP  @missing"], ["        LDI  256"],
    ["        LDI  -129"],
    ["        LD   8192"], ["        ST   -1"], ["        JMP  8192"], ["        JC   0 - 1"],
    ["        .word 0x10000"], ["        LDI  1 / 0"], ["        LDI  5 % (hidden - 77)"],
    ["        LDI  1 << 64"], ["        LDI  9223372036854775807 + 1 > 0"],
    ["        LDI  -9223372036854775807 - 2 < 0"], ["        LDI  9223372036854775808 & 0"],
    ["        LDI  log2(6)"], ["        LDI  char(\"abc\", 3)"], ["        LDI  len(5)"],
    ["        LDI  \"text\""], ["        LDI  lo(1, 2)"], ["        LDI  nofunction(1)"],
    ["twice:", "        SHR", "twice:  SHR"], ["twice = 1", ".var twice"], ["hidden:"],
    ["        LDD  5"], ["        ADD"], ["        SHR  1"], ["        LD   5,"],
    ["        LDI  (1"],
    ["        LDI  1)"], ["        LDI  1 +"], ["        LDI  'ab'"], ["        LDI  \"open"],
    ["        LDI  0b12"], ["        LDI  1_"], ["        LDI  '\\q'"], ["        LDI  3 4"],
    [".nothing"], [".repeat 3"], [".if 1"], [".macro unclosed"], [".routine unclosed()"],
    [".endif"], [".endrepeat"], [".endmacro"], [".else"], [".endroutine"], [".elseif 1"],
    [".repeat -1", ".endrepeat"], [".repeat missing", ".endrepeat"], [".if END", ".endif"],
    [".if missing", ".endif"], [".org 8192"], [".org END"], [".ram -1"], [".var big, -1"],
    [".var big, 9000"], [".var big, 8000", ".var bigger, 200"], [".assert hidden == 78"],
    [".assert END < 0, \"no\""], [".error \"stop\""], [".include \"nowhere.asm\""],
    [".include \"lib\\\\std.asm\""], [".include \"lib\\nand.asm\""], ["        LDI\u00a05"],
    [".allow everything"], ["add = 5"], ["Halt:   SHR"], [".var ld"], [".macro nand", ".endmacro"],
    [".macro forever", "        forever", ".endmacro", "        forever"],
    [".macro even x", "        odd x", ".endmacro", ".macro odd x", "        even x", ".endmacro",
     "        odd 1"],
    [".function around(x) = around(x + 1)", "        LDI  around(1)"],
    ["ring = ring2", "ring2 = ring"], [".call nowhere()"],
    [".call self()", "        HALT", ".routine self()", "        .call self()", ".endroutine"],
    [".call one()", "        HALT", ".routine one()", "        .call two()", ".endroutine",
     ".routine two()", "        .call one()", ".endroutine"],
    [".call takes(#1)", "        HALT", ".routine takes()", ".endroutine"], [".return"],
    [".routine nested()", ".routine inner()", ".endroutine", ".endroutine"],
    [".routine own()", ".default inner = 1", ".endroutine"], [".default row{1} = 1"],
    [".macro needs a, b", ".endmacro", "        needs 1"],
    [".macro takes a", ".endmacro", "        takes 1, 2"],
    [".macro takes a", ".endmacro", "        takes b = 2"],
    [".macro takes a, b", ".endmacro", "        takes a = 2, 3"],
    [".macro takes a", ".endmacro", "        takes 1, a = 2"],
    ["        later 1", ".macro later a", ".endmacro"], ["        ST   #5"], ["        JMP  #5"],
    ["        LDI  #5"], ["        ADD  #300"], ["        ADD  1 + #5"], ["        .org 8191",
     "        SHR", "        SHR"], [".repeat 9000", "        SHR", ".endrepeat"],
    ["        .org 3000", "        SHR", "        .org 3000", "        SHR"],
    [".function same(x) = x", ".function same(y) = y"], [".macro same", ".endmacro", ".macro same",
     ".endmacro"], ["negative{0 - 1}: SHR"], ["number{END}: SHR"], [".struct open", ".var a"],
    [".struct odd", "        SHR", ".endstruct"], [".pool", ".pool"], [".title 5"],
    [".grid 0, 9, \"x\""], [".legend blue, \"sky\""], [".show 9000"],
    [".result \"a\"", ".result \"b\""], ["        LDI  @@x"], ["        LDI  hidden{"],
]


def with_mistake(random, lines):
    """Inserts a mistake at a random line."""
    mistake = random.choice(MISTAKES)
    place = random.randrange(len(lines) + 1)
    return [*lines[:place], *mistake, *lines[place:]]


def generate(random):
    """The files of a program, whose main file is `main.asm`, and values for its symbols."""
    generator = Generator(random)
    generator.program()
    if random.random() < 0.3:
        which = generator.files.get("part.asm") if random.random() < 0.6 else None
        if which:
            generator.files["part.asm"] = with_mistake(random, which)
        else:
            generator.lines = with_mistake(random, generator.lines)
    generator.files["main.asm"] = generator.lines
    # Some are mixed files, from several systems.
    ends = ["\n", "\r\n", "\r"] if random.random() < 0.1 else ["\n"]
    files = {
        name: "".join(line + random.choice(ends) for line in lines)
        for name, lines in generator.files.items()
    }
    return files, generator.defines
