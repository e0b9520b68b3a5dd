"""The causes of every bit, carried forwards: a second answer to `gray1 why`.

While a program runs, each bit of A, C and data memory carries the node that made it what it is: the
instruction, and the nodes of the operand bits that fix it; or an input. Questions are answered from
what the bits carry. Written from the rules in docs/DEBUGGER.md; reads a case a line as JSON, and
prints the answers to its questions.
"""

import json
import sys

LDI, LD, ST, ADD, NAND, SHR, JC, JMP = range(8)
BUTTONS = 0x1FFE
ERASED = 0xFFFF


def gray_to_index(code):
    index = 0
    while code:
        index ^= code
        code >>= 1
    return index


class Program:
    """The program's words, and the `JC` that decides about each instruction."""

    def __init__(self, words):
        self.words = words
        used = range(len(words) + 1)
        self.places = list(used) + [0x1555]
        self.decided = {}
        for goal in self.places:
            bound = self.bound_for(goal)
            for index in self.places:
                op, _ = self.decode(index)
                if op == JC:
                    for carry in (0, 1):
                        if self.successors(index)[1 - carry] not in bound:
                            self.decided.setdefault((index, carry), []).append(goal)

    def decode(self, index):
        word = self.words[index] if index < len(self.words) else ERASED
        return word >> 13, word & 0x1FFF

    def successors(self, index):
        """The next indexes with the carry clear and with it set."""
        op, operand = self.decode(index)
        target, on = gray_to_index(operand), (index + 1) % 8192
        return {JC: (on, target), JMP: (target, target)}.get(op, (on, on))

    def bound_for(self, goal):
        """The places from which every path leads to the goal."""
        bound, grows = {goal}, True
        while grows:
            others = [it for it in self.places if it not in bound]
            more = {it for it in others if set(self.successors(it)) <= bound}
            bound |= more
            grows = bool(more)
        return bound


class Machine:
    def __init__(self, program, a, c, ram):
        self.program = program
        self.a, self.c, self.pc, self.ram = a, c, 0, dict(enumerate(ram))
        # A node: its cause, and the bits that this followed from, each with its node.
        power_up = (("power-up",), ())
        self.nodes = {("A", bit): power_up for bit in range(8)}
        self.nodes["C", 0] = power_up
        self.power_up = power_up
        self.deciders, self.start = {}, power_up
        self.set_byte(BUTTONS, 0, ("reset", 0))

    def node(self, cell, bit):
        return self.nodes.get((cell, bit), self.power_up)

    def set_byte(self, address, byte, leaf):
        self.ram[address] = byte
        for bit in range(8):
            self.nodes[address, bit] = (leaf, ())

    def give(self, moment, kind, *values):
        if kind == "reset":
            self.pc, self.deciders = 0, {}
            self.start = (("reset", moment), ())
            self.set_byte(BUTTONS, 0, ("reset", moment))
        elif kind == "hold":
            self.set_byte(BUTTONS, values[0], ("buttons", moment))
        elif kind == "poke":
            self.set_byte(*values, ("changed", moment))
        else:
            change, (a, c, pc) = (("changed", moment), ()), values
            if a != self.a:
                self.nodes.update({("A", bit): change for bit in range(8)})
            if c != self.c:
                self.nodes["C", 0] = change
            if pc != self.pc:
                self.deciders, self.start = {}, change
            self.a, self.c, self.pc = a, c, pc

    def step(self, moment):
        index = self.pc
        op, x = self.program.decode(index)
        byte = self.ram.get(x, 0)
        made = ("step", moment)
        constant = ("constant", index)

        def a(bit):
            return ("A", bit, self.node("A", bit))

        def data(bit):
            return (x, bit, self.node(x, bit))

        new = {}
        if op == LDI:
            new = {("A", bit): (made, (constant,)) for bit in range(8)}
            self.a = x & 0xFF
        elif op == LD:
            new = {("A", bit): (made, (data(bit),)) for bit in range(8)}
            self.a = byte
        elif op == ST:
            new = {(x, bit): (made, (a(bit),)) for bit in range(8)}
            self.ram[x] = self.a
        elif op == NAND:
            for bit in range(8):
                if not self.a >> bit & 1:
                    causes = (a(bit),)
                elif not byte >> bit & 1:
                    causes = (data(bit),)
                else:
                    causes = (a(bit), data(bit))
                new["A", bit] = (made, causes)
            self.a = ~(self.a & byte) & 0xFF
        elif op == SHR:
            for bit in range(8):
                new["A", bit] = (made, (a(bit + 1),) if bit < 7 else (constant,))
            new["C", 0] = (made, (a(0),))
            self.a, self.c = self.a >> 1, self.a & 1
        elif op == ADD:
            # The carry into a place, and what it follows from.
            carry, carry_causes = 0, ()
            for bit in range(8):
                one, other = self.a >> bit & 1, byte >> bit & 1
                new["A", bit] = (made, (a(bit), data(bit)) + carry_causes)
                if one == other:
                    carry, carry_causes = one, (a(bit), data(bit))
                else:
                    carry_causes = carry_causes + ((a(bit),) if one == carry else (data(bit),))
            new["C", 0] = (made, carry_causes)
            self.a, self.c = self.a + byte & 0xFF, carry
        elif op == JC:
            node = (made, (("C", 0, self.node("C", 0)),))
            for goal in self.program.decided.get((index, self.c), ()):
                self.deciders[goal] = node
        successors = self.program.successors(index)
        self.pc = successors[self.c] if op == JC else successors[0]
        self.nodes.update(new)

    def ask(self, cell, bit):
        """The node of a bit. For PC, the node of the execution of the next instruction."""
        return self.deciders.get(self.pc, self.start) if cell == "PC" else self.node(cell, bit)


def format_node(node):
    """The cause of a node, and the cells and bits that it followed from."""
    made, causes = node
    return [list(made), sorted(list(map(str, cause[:2])) for cause in causes)]


def leaves(node):
    """All nodes without a cause from which a node follows."""
    found, seen, left = set(), set(), [node]
    while left:
        node = left.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        made, causes = node
        if made[0] != "step":
            found.add(made)
        for cause in causes:
            if cause[0] == "constant":
                found.add(cause)
            else:
                left.append(cause[2])
    return sorted(map(list, found), key=str)


def answers(case):
    machine = Machine(Program(case["words"]), case["a"], case["c"], case["ram"])
    inputs = case["inputs"]
    questions = sorted(enumerate(case["questions"]), key=lambda it: it[1][2])
    answers, moment = [None] * len(questions), 0
    for number, (cell, bit, at, asks_leaves) in questions:
        while True:
            while inputs and inputs[0][0] == moment:
                machine.give(*inputs.pop(0))
            if moment == at:
                break
            machine.step(moment)
            moment += 1
        node = machine.ask(cell, bit)
        answers[number] = leaves(node) if asks_leaves else format_node(node)
    return answers


for line in sys.stdin:
    print(json.dumps(answers(json.loads(line))), flush=True)
