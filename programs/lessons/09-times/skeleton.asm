; Lesson 9: print n stars.

.include "lib/panel.asm"
.allow unwritten                ; the check sets n

.var n

.pool
        LD   n
        LDI  '*'
        ST   MAILBOX
        HALT
