; Lesson 7: count on the top row, for ever.

.include "lib/panel.asm"

.pool
        LDI  0
        ST   GREEN
        HALT
