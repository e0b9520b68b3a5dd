"""What the witness says of programs, one line of JSON for each: see assembler.py.

    main.py FOLDER generate SEED COUNT    random programs, with their files
    main.py FOLDER assemble FILE ...      programs in the folder

FOLDER is the one in which `lib/` is. Of a program, `eprom` has the bytes that are not FF, as pairs
of an address and digits; or else `error` is the class, the file and the line of an error.
"""

import json
import pathlib
import posixpath
import random
import re
import sys

from assembler import assemble, burn, place_of
from expressions import Fault
from generator import generate


class Files:
    """The files of a program, and those of the folder."""

    def __init__(self, texts, folder):
        self.texts, self.folder = texts, folder

    def __call__(self, name):
        if name in self.texts:
            return self.texts[name]
        return (self.folder / name).read_text(encoding="utf-8")

    def resolve(self, including, name):
        """The name of an include file, which is next to the including one or in the library."""
        for found in (posixpath.join(posixpath.dirname(including), name), name):
            if found in self.texts or found.startswith("lib/") and (
                self.folder / found
            ).is_file():
                return found
        return None


def answer(files, main, defines):
    try:
        image = burn(assemble(files, main, defines))
    except Fault as fault:
        return {"error": [fault.kind, *place_of(fault, main)]}
    runs = re.finditer(rb"[^\xff]+", image)
    return {"eprom": [[run.start(), run[0].hex()] for run in runs]}


def programs(arguments):
    """The files of each program, the name of its main one, and values for its `.default`s."""
    if arguments[0] == "generate":
        seed, count = map(int, arguments[1:])
        for number in range(count):
            files, defines = generate(random.Random(f"{seed}/{number}"))
            yield files, "main.asm", defines
    else:
        for name in arguments[1:]:
            yield {}, name, {}


def main():
    sys.setrecursionlimit(20_000)
    folder, *arguments = sys.argv[1:]
    for texts, name, defines in programs(arguments):
        found = answer(Files(texts, pathlib.Path(folder)), name, defines)
        print(json.dumps({"main": name, "files": texts, "defines": defines, **found}))


if __name__ == "__main__":
    main()
