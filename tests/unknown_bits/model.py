"""A second model of a machine that may hold anything at power-up.

    model.py SEED COUNT    random programs, one line of JSON for each

It was written from docs/MACHINE.md only. A bit is 0, 1 or None, which means unknown, and a byte is
a list of eight bits, the lowest first. Logic works on single bits: a sum goes from column to
column with a carry that may be unknown.

A line has the words of the program, from index 0. `steps` has the index of each instruction, with A
and C after it. `end` is the reason why the run ended, and `memory` has all known bits of memory
at its end.
"""

import json
import random
import sys

BUTTONS, MAILBOX = 0x1FFE, 0x1FFF
LDI, LD, ST, ADD, NAND, SHR, JC, JMP = range(8)
STEPS_MAX = 300


def to_bits(number):
    return [number >> place & 1 for place in range(8)]


def to_text(bits):
    """The highest bit first, as people write numbers."""
    return "".join("x" if bit is None else str(bit) for bit in reversed(bits))


def nand(a, b):
    if a == 0 or b == 0:
        return 1
    return None if a is None or b is None else 0


def add_column(a, b, carry):
    """The sum and the carry of three bits."""
    bits = [a, b, carry]
    total = None if None in bits else sum(bits) % 2
    # Two equal bits decide the majority, whatever the third one is.
    majority = next((bit for bit in (0, 1) if bits.count(bit) >= 2), None)
    return total, majority


def from_gray(code):
    number = 0
    while code:
        number ^= code
        code >>= 1
    return number


class Machine:
    def __init__(self, words):
        self.words = words
        self.a, self.carry, self.pc = [None] * 8, None, 0
        self.memory = {BUTTONS: to_bits(0)}

    def read(self, address):
        return self.memory.get(address, [None] * 8)

    def step(self):
        """Executes an instruction. Returns the reason to stop, if there is one."""
        word = self.words[self.pc] if self.pc < len(self.words) else 0xFFFF
        op, x = word >> 13, word & 0x1FFF
        following = (self.pc + 1) % 8192
        if op == LDI:
            self.a = to_bits(x & 0xFF)
        elif op == LD:
            self.a = list(self.read(x))
        elif op == ST:
            if x == MAILBOX and None in self.a:
                return "output"
            self.memory[x] = list(self.a)
        elif op == ADD:
            carry, result = 0, []
            for a, b in zip(self.a, self.read(x)):
                total, carry = add_column(a, b, carry)
                result.append(total)
            self.a, self.carry = result, carry
        elif op == NAND:
            self.a = [nand(a, b) for a, b in zip(self.a, self.read(x))]
        elif op == SHR:
            self.carry, self.a = self.a[0], self.a[1:] + [0]
        elif op == JC:
            if self.carry is None:
                return "jump"
            if self.carry:
                following = from_gray(x)
        elif op == JMP:
            following = from_gray(x)
            if following == self.pc:
                return "halted"
        self.pc = following
        return None


def make_program(random):
    """A program with few addresses, so that it reads what it wrote, and with near jumps."""
    length = random.randrange(4, 60)
    addresses = [random.randrange(8192) for _ in range(random.randrange(1, 6))]
    addresses += [BUTTONS, MAILBOX, 0x1FE0 + random.randrange(16)]
    words = [word for address in addresses if random.random() < 0.5 for word in (
        LDI << 13 | random.randrange(256),
        ST << 13 | address,
    )]
    first = len(words)
    for _ in range(length):
        op = random.choice([LDI, LD, LD, ST, ST, ADD, ADD, NAND, NAND, SHR, JC, JMP])
        if op in (JC, JMP):
            target = first + random.randrange(length)
            x = target ^ target >> 1
        elif op in (LD, ST, ADD, NAND):
            x = random.choice(addresses)
        else:
            x = random.randrange(8192)
        words.append(op << 13 | x)
    return words


def run(words):
    machine, steps, end = Machine(words), [], None
    while end is None and len(steps) < STEPS_MAX:
        index = machine.pc
        end = machine.step()
        if end in (None, "halted"):
            carry = "x" if machine.carry is None else str(machine.carry)
            steps.append([index, to_text(machine.a), carry])
    memory = {address: to_text(byte) for address, byte in machine.memory.items()}
    return {"words": words, "steps": steps, "end": end or "limit", "memory": memory}


def main():
    seed, count = (int(argument) for argument in sys.argv[1:])
    chosen = random.Random(seed)
    for _ in range(count):
        print(json.dumps(run(make_program(chosen))))


if __name__ == "__main__":
    main()
