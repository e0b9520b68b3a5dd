; Lesson 6: print the sum of x and y.

.include "lib/panel.asm"
.allow unwritten                ; not a mistake: the check stores numbers in x and y

.var x
.var y

.pool
        LD   x
        ADD  y
        ADD  #'0'
        ST   MAILBOX
        HALT
