        JMP nowhere
.macro twice n
        LDI 2 * n
.endmacro
.include "missing.asm"
