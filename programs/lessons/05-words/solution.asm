; Lesson 5: print "Hi!".

.include "lib/panel.asm"

        LDI  'H'
        ST   MAILBOX
        LDI  'i'
        ST   MAILBOX
        LDI  '!'
        ST   MAILBOX
        LDI  '\n'
        ST   MAILBOX
        HALT
