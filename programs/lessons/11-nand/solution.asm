; Lesson 11: show x inverted in red, and what x and y have in common in green.

.include "lib/panel.asm"
.allow unwritten                ; the check sets x and y

.var x
.var y

.pool
        clear_leds
        LD   x
        NAND #0xff
        ST   RED
        LD   x
        NAND y
        NAND #0xff
        ST   GREEN
        HALT
