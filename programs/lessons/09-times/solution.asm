; Lesson 9: print n stars.

.include "lib/panel.asm"
.allow unwritten                ; the check sets n

.var n

.pool
again:  LD   n
        ADD  #-1
        JC   star
        HALT
star:   ST   n
        LDI  '*'
        ST   MAILBOX
        JMP  again
