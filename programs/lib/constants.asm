; Constants. The machine has no immediate ADD or NAND: their operands are in data memory, and the
; program has to store them there first.
;
; `number + n` is the byte for the constant n; it holds n once the program has stored it (`plant
; n`). For a negative number write `number + lo(n)`.

.var number, 256

ff      = number + 0xff         ; the two that the macros of lib/std.asm need
one     = number + 1

; Initialises the constant n: [number + lo(n)] <- n. 2 instructions; A is n afterwards, C stays.
.macro plant n
        LDI  lo(n)
        ST   number + lo(n)
.endmacro

; Initialises FF and 1; call it first. 4 instructions; A is 1 afterwards, C stays.
.macro plant_constants
        plant -1
        plant 1
.endmacro
