; Lesson 16: print the numbers from 10 down to 1.

.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/print.asm"

.var n

.pool
        set  n, 10
        print_decimal n
        HALT
