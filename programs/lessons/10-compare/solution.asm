; Lesson 10: print y if x is 18 or more, and n if it is less.

.include "lib/panel.asm"
.allow unwritten                ; the check sets x

.var x

.pool
        LD   x
        ADD  #-18
        JC   yes
        LDI  'n'
        JMP  say
yes:    LDI  'y'
say:    ST   MAILBOX
        HALT
