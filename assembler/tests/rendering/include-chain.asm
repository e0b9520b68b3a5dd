.include "include-lib.asm"
        twice 200
