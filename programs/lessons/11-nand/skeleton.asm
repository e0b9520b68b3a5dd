; Lesson 11: show x inverted in red, and what x and y have in common in green.

.include "lib/panel.asm"
.allow unwritten                ; the check sets x and y

.var x
.var y

.pool
        clear_leds
        LD   x
        ST   RED
        LD   y
        ST   GREEN
        HALT
