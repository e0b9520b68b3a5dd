; Lesson 21: a queen takes the first free square.

.include "lib/panel.asm"
.include "lib/std.asm"
.allow unwritten                ; the check sets free

.var free

.pool
        clear_leds
        copy free, GREEN
        HALT
