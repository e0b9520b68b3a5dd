; Lesson 21: a queen takes the first free square.

.include "lib/panel.asm"
.include "lib/std.asm"
.allow unwritten                ; the check sets free

.var free
.var minus

.pool
        clear_leds
        not  free
        ADD  #1
        ST   minus
        and  free, minus
        ST   RED
        subtract free, RED
        ST   GREEN
        HALT
