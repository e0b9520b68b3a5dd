; Counts to twenty in a routine, shows it on the LEDs, and says when it is done.
.include "lib/panel.asm"
.include "lib/std.asm"

.var n
.var pair, 2

.pool
        set  n, 0
        set  pair, 0
again:  .call bump()
        .call bump()
        ST   pair
        LD   pair
        ADD  #-20
        JC   done
        JMP  again
done:
.repeat 5, i
        set  MAILBOX, char("done\n", i)
.endrepeat
        HALT

.routine bump() -> count
        LD   n
        ADD  #1
        ST   n
        ST   GREEN
        ST   count
.endroutine
