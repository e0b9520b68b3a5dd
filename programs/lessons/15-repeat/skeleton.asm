; Lesson 15: draw both diagonals.

.include "lib/panel.asm"

.repeat 8, row
        LDI  1
        ST   GREEN + row
.endrepeat
        HALT
