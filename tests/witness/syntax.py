"""Lines and blocks, for the witness: see assembler.py.

A statement is a dictionary: `do` says what it is, `at` where it stands as (file, line), `labels`
are the names of the labels before it. A block has its lines in `body`.
"""

import re

from expressions import ARGUMENTS, Fault, Tokens

MNEMONICS = ["LDI", "LD", "ST", "ADD", "NAND", "SHR", "JC", "JMP"]
RESERVED = {*MNEMONICS, "HALT"}
WARNINGS = {
    "unused", "unreachable", "unwritten", "entry", "carry", "end", "number", "indirect",
}
COLOURS = {".legend": {"dark", "green", "red", "yellow"}, ".count": {"green", "red"}}
COLOURS[".why"] = COLOURS[".legend"]
ENDS = {
    ".repeat": {".endrepeat"}, ".if": {".elseif", ".else", ".endif"}, ".macro": {".endmacro"},
    ".elseif": {".elseif", ".else", ".endif"}, ".else": {".endif"},
    ".routine": {".endroutine"}, ".struct": {".endstruct"},
}
ALL_ENDS = {end for ends in ENDS.values() for end in ends}
CAPTION = 200
DOCUMENTED = re.compile(r"[ \t]*(\.(macro|function|struct|var|default)\b|\w+[ \t]*=)", re.IGNORECASE)


def comment_of(line):
    """The text of the caption, if the line has one."""
    match = re.match(r"[ \t]*;;(?!;)(.*)", line)
    return match and match[1].strip()


def parse(name, text):
    """The statements of a file."""
    lines = re.split(r"\r\n|\r|\n", text)
    check_captions(name, lines)
    reader = Reader(name, lines)
    return reader.block(None, ())


def check_captions(name, lines):
    """A caption is a block of `;;` lines. Directly above a definition, it documents that."""
    start, caption = 0, []
    for number, line in enumerate([*lines, ""], 1):
        part = comment_of(line)
        if part is None:
            if len(" ".join(caption)) > CAPTION and not DOCUMENTED.match(line):
                raise Fault("presentation", (name, start), "a long caption")
            caption = []
        else:
            start = start if caption else number
            caption.append(part)


class Reader:
    def __init__(self, name, lines):
        self.name, self.lines, self.number = name, lines, 0
        self.open = []  # what ends the blocks around, the outermost first

    def block(self, opening, ends):
        """The statements up to and including one of these directives."""
        body = []
        self.open.append(ends)
        while self.number < len(self.lines):
            self.number += 1
            at = (self.name, self.number)
            tokens = Tokens(self.lines[self.number - 1], at)
            labels = []
            while tokens.peek()[0] == "name":
                start = tokens.next
                label = tokens.name()
                if not tokens.accept(":"):
                    tokens.next = start
                    break
                labels.append(unreserved(label, at))
            statement = self.statement(tokens, at)
            statement.update(at=at, labels=labels)
            if statement["do"] in ALL_ENDS and statement["do"] not in ends:
                # If it ends a block around this one, this one has no end.
                is_of_another = any(statement["do"] in other for other in self.open)
                raise Fault("block", opening if is_of_another else at, statement["do"])
            body.append(statement)
            if statement["do"] in ends:
                self.open.pop()
                return body
            if statement["do"] in ENDS and statement["do"] not in (".elseif", ".else"):
                self.nested(statement)
        if ends:
            raise Fault("block", opening, "the block does not end")
        return body

    def nested(self, statement):
        """Reads the lines of a block, and all branches of an `.if`."""
        at = statement["at"]
        statement["body"] = self.block(at, ENDS[statement["do"]])
        branch = statement
        while statement["do"] == ".if" and branch["body"][-1]["do"] != ".endif":
            branch["otherwise"] = branch["body"].pop()
            branch = branch["otherwise"]
            branch["body"] = self.block(at, ENDS[branch["do"]])
        branch["end"] = branch["body"].pop()

    def statement(self, tokens, at):
        kind, token = tokens.peek()
        if kind == "end":
            return {"do": "nothing"}
        if kind == "directive":
            return self.directive(tokens, tokens.take().lower(), at)
        if kind != "name":
            tokens.fail("expected a statement")
        if token.upper() in RESERVED:
            tokens.take()
            if tokens.peek() in (("sign", "="), ("sign", ":")):
                raise Fault("reserved", at, token)
            statement = {"do": token.upper()}
            if statement["do"] not in ("SHR", "HALT"):
                statement["operand"] = tokens.operand()
        else:
            name = tokens.name()
            if tokens.accept("="):
                statement = {"do": "constant", "name": name, "value": tokens.operand()}
            else:
                items = [] if tokens.peek()[0] == "end" else tokens.items(lambda: named(tokens))
                statement = {"do": "expansion", "name": name, "arguments": items}
        tokens.end()
        return statement

    def directive(self, tokens, word, at):
        read = DIRECTIVES.get(word)
        if not read:
            raise Fault("unknown", at, word)
        statement = read(tokens)
        tokens.end()
        return {"do": word, **statement}


def unreserved(parts, at):
    """A name that is defined here."""
    if parts[0].upper() in RESERVED and len(parts) == 1:
        raise Fault("reserved", at, parts[0])
    return parts


def new_name(tokens):
    return unreserved(tokens.name(), tokens.at)


def plain_name(tokens):
    return unreserved([tokens.plain_name()], tokens.at)[0]


def different(names, tokens):
    """The parameters of a macro or a function."""
    if len(set(names)) < len(names):
        raise Fault("duplicate", tokens.at, "a parameter")


def named(tokens):
    """An argument of a macro: the name of its parameter, if it has one, and the operand."""
    if tokens.peek()[0] == "name" and tokens.peek(1) == ("sign", "="):
        name = tokens.take()
        tokens.take()
        return name, tokens.operand()
    return None, tokens.operand()


def parameter(tokens):
    name = plain_name(tokens)
    return name, tokens.operand() if tokens.accept("=") else None


def variable(tokens):
    name = new_name(tokens)
    return {"name": name, "size": tokens.expression() if tokens.accept(",") else None}


def repeat(tokens):
    count = tokens.expression()
    return {"count": count, "index": plain_name(tokens) if tokens.accept(",") else None}


def macro(tokens):
    name = new_name(tokens)
    if name[0].startswith("@"):
        raise Fault("syntax", tokens.at, "macros cannot be local")
    has_none = tokens.peek()[0] == "end"
    parameters = [] if has_none else tokens.items(lambda: parameter(tokens))
    different([name for name, _ in parameters], tokens)
    return {"name": name, "parameters": parameters}


def routine(tokens):
    name = new_name(tokens)
    statement = {"name": name, "parameters": tokens.in_brackets(lambda: plain_name(tokens))}
    statement["result"] = plain_name(tokens) if tokens.accept("->") else None
    return statement


def function(tokens):
    name = plain_name(tokens)
    if name in ARGUMENTS:
        raise Fault("reserved", tokens.at, name)
    statement = {"name": name, "parameters": tokens.in_brackets(lambda: plain_name(tokens))}
    different(statement["parameters"], tokens)
    tokens.take("sign", "=")
    return {**statement, "value": tokens.expression()}


def call(tokens):
    return {"name": tokens.name(), "arguments": tokens.in_brackets(tokens.operand)}


def assertion(tokens):
    condition = tokens.expression()
    return {"value": condition, "text": tokens.text() if tokens.accept(",") else None}


def allowed(tokens):
    for word in tokens.items(lambda: tokens.take("name")):
        if word not in WARNINGS:
            raise Fault("unknown", tokens.at, word)
    return {}


def shown(tokens):
    address = tokens.expression()
    return {"addresses": [address], "caption": tokens.text() if tokens.accept(",") else None}


def grid(tokens):
    addresses = [tokens.expression()]
    tokens.take("sign", ",")
    size = tokens.expression()
    tokens.take("sign", ",")
    mark = tokens.text()
    if len(mark) != 1 or not " " < mark <= "~":
        raise Fault("presentation", tokens.at, "a mark is one character")
    while tokens.accept(","):
        if tokens.take("name") not in ("rows", "index"):
            tokens.fail("expected `rows` or `index`")
        tokens.take("sign", "=")
        addresses.append(tokens.expression())
    return {"addresses": addresses, "size": size}


def coloured(word):
    def read(tokens):
        if tokens.take("name") not in COLOURS[word]:
            tokens.fail("no such colour")
        tokens.take("sign", ",")
        return {"caption": tokens.text()}
    return read


def reason(tokens):
    coloured(".why")(tokens)
    if tokens.accept(","):
        if tokens.take("name") != "was":
            tokens.fail("expected `was`")
        tokens.take("sign", "=")
        sign = tokens.text()
        if len(sign) != 1 and sign not in COLOURS[".why"]:
            tokens.fail("no such sign")
    return {}


def nothing(_):
    return {}


def default(tokens):
    name = plain_name(tokens)
    tokens.take("sign", "=")
    return {"name": name, "value": tokens.operand()}


def one(key, read):
    return lambda tokens: {key: read(tokens)}


DIRECTIVES = {
    ".org": one("value", Tokens.expression),
    ".ram": one("value", Tokens.expression),
    ".word": one("value", Tokens.expression),
    ".var": variable,
    ".seed": variable,
    ".default": default,
    ".pool": nothing,
    ".repeat": repeat,
    ".if": one("value", Tokens.expression),
    ".elseif": one("value", Tokens.expression),
    ".else": nothing,
    ".macro": macro,
    ".routine": routine,
    ".call": call,
    ".return": nothing,
    ".function": function,
    ".struct": one("name", new_name),
    ".include": one("text", Tokens.path),
    ".assert": assertion,
    ".error": one("text", Tokens.text),
    ".allow": allowed,
    ".show": shown,
    ".grid": grid,
    ".legend": coloured(".legend"),
    ".count": coloured(".count"),
    ".why": reason,
    ".result": one("caption", Tokens.text),
    ".title": one("text", Tokens.text),
    **{end: nothing for end in ALL_ENDS if end not in (".elseif", ".else")},
}
