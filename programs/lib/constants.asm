; Constants. The machine has no immediate ADD or NAND: what a program adds or inverts with has to
; stand in data memory, and the program has to put it there before.
;
; `number + n` is the byte for the constant n; it holds n once that was planted. For a negative
; number write `number + lo(n)`.

.var number, 256

ff      = number + 0xff         ; the two that the words of lib/std.asm need
one     = number + 1

; Makes n a constant: [number + lo(n)] <- n. 2 instructions; A is n afterwards, C stays.
.macro plant n
        LDI  lo(n)
        ST   number + lo(n)
.endmacro

; Plants FF and 1, the first thing that a program does. 4 instructions; A is 1 afterwards, C stays.
.macro plant_constants
        plant -1
        plant 1
.endmacro
