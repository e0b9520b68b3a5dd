; Lesson 16: print the numbers from 10 down to 1.

.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/print.asm"

.var n

.pool
        set  n, 10
next:   print_decimal n
        set  MAILBOX, '\n'
        decrement n
        bnz  n, next
        HALT
