; Lesson 15: draw both diagonals.

.include "lib/panel.asm"

.repeat 8, row
        LDI  1 << row
        ST   GREEN + row
        ST   RED + 7 - row
.endrepeat
        HALT
