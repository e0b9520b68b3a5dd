; Lesson 18: complete the routine `larger`.

.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/print.asm"
.allow unwritten                ; the check sets x, y and z

.var x
.var y
.var z
.var best

.pool
        .call larger(x, y)
        ST   best
        .call larger(best, z)
        ST   best
        print_decimal best
        HALT

.routine larger(a, b) -> result
        copy a, result
.endroutine
