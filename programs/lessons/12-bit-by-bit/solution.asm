; Lesson 12: print how many bits of x are 1.

.include "lib/panel.asm"
.allow unwritten                ; the check sets x

.var x
.var ones

.pool
        LDI  '0'
        ST   ones
next:   LD   x
        SHR
        ST   x
        JC   one
        ADD  #-1                ; is anything left?
        JC   next
        LD   ones
        ST   MAILBOX
        HALT
one:    LD   ones
        ADD  #1
        ST   ones
        JMP  next
