; The constants of lib/std.asm. The machine has no immediate ADD or NAND, so what is added or
; inverted with has to stand in data memory, and the program has to put it there.

.var ff
.var one

; Plants them: the first thing a program does. 4 instructions; A is 1 afterwards, C stays.
.macro plant_constants
        set  ff, 0xff
        set  one, 1
.endmacro
