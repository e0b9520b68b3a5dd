; Macros that most programs need. Each description gives the number of instructions, which may
; depend on the data, and the effect on A and C. "A is lost" means that A is overwritten.
;
; A macro that computes a value leaves it in A, so write `ST` after it. A program that uses these
; macros needs `.pool`, which stores their constants.

; ---- Moving

;; [to] <- [from]. 2 instructions; keeps C, and A holds the byte afterwards.
.macro copy from, to
        LD   from
        ST   to
.endmacro

;; [to] <- value, a number that the assembler can compute. 2 instructions; keeps C, and A
;; holds the number afterwards.
.macro set to, value
        LDI  value
        ST   to
.endmacro

; ---- Bitwise operations

;; A <- not [a]. 2 instructions; keeps C.
.macro not a
        LD   a
        NAND #0xff
.endmacro

;; A <- [a] and [b]. 3 instructions; keeps C.
.macro and a, b
        LD   a
        NAND b
        NAND #0xff
.endmacro

;; A <- [a] or [b]. 5 instructions; keeps C.
.macro or a, b                  ; the NAND of their complements
  .var @not_a
        LD   a
        NAND a
        ST   @not_a
        NAND b
        NAND @not_a
.endmacro

;; A <- [a] exclusive-or [b]. 7 instructions; keeps C.
.macro xor a, b
  .var @only_b                  ; the complement of the bits that only b has
        LD   a
        NAND a
        NAND b
        ST   @only_b
        NAND b                  ; the complement of the common bits
        NAND a                  ; the complement of the bits that only a has
        NAND @only_b
.endmacro

; ---- Shifting

;; A <- 2 * [a]. 2 instructions; C is the bit shifted out.
.macro double a
        LD   a
        ADD  a
.endmacro

;; A <- [a] / 2. 2 instructions; C is the bit shifted out.
.macro halve a
        LD   a
        SHR
.endmacro

;; A <- [a], with each bit moved one place up, the highest to the lowest. 4 instructions; C is 0.
.macro rotate_left a
        LD   a
        ADD  a
        JC   @wrap
        JMP  @done
@wrap:  ADD  #1
@done:
.endmacro

;; A <- [a], with each bit moved one place down, the lowest to the highest. 4 instructions; C is 0.
.macro rotate_right a
        LD   a
        SHR
        JC   @wrap
        JMP  @done
@wrap:  ADD  #0x80
@done:
.endmacro

; ---- Adding

; Computes not (not [a] + [b]), which is [a] - [b].
;; A <- [a] - [b]. 4 instructions; C is the borrow, 1 if [a] < [b].
.macro subtract a, b
        LD   a
        NAND #0xff
        ADD  b
        NAND #0xff
.endmacro

;; [a] <- [a] + 1. 3 instructions; A holds the sum afterwards, C is 1 if the sum is 0.
.macro increment a
        LD   a
        ADD  #1
        ST   a
.endmacro

;; [a] <- [a] - 1. 3 instructions; A holds the difference afterwards, C is 0 if [a] was 0.
.macro decrement a
        LD   a
        ADD  #0xff
        ST   a
.endmacro

; ---- Branching

;; Jumps to target if C is 0. 2 instructions, or 1 if not; keeps A and C.
.macro bnc target
        JC   @on
        JMP  target
@on:
.endmacro

;; Jumps to target if [a] is 0. 4 instructions, or 3 if not; A is lost, C is 0 if it jumps.
.macro bz a, target
        LD   a
        ADD  #0xff
        bnc  target
.endmacro

;; Jumps to target if [a] is not 0. 3 instructions; A is lost, C is 1 if it jumps.
.macro bnz a, target
        LD   a
        ADD  #0xff
        JC   target
.endmacro

;; C <- 1 if [a] < [b], as numbers from 0 to 255, otherwise 0. 3 instructions; A <- [b] - [a] - 1.
.macro compare a, b
        LD   a
        NAND #0xff
        ADD  b
.endmacro

;; Jumps to target if [a] < [b]. 4 instructions; A is lost, C is 1 if it jumps.
.macro blt a, b, target
        compare a, b
        JC   target
.endmacro

;; Jumps to target if [a] >= [b]. 5 instructions, or 4 if not; A is lost, C is 0 if it jumps.
.macro bge a, b, target
        compare a, b
        bnc  target
.endmacro

; If the bytes are equal, [b] - [a] - 1 is FF, and adding 1 gives a carry only for FF.
;; Jumps to target if [a] = [b]. 5 instructions; A is lost, C is 1 if it jumps.
.macro beq a, b, target
        compare a, b
        ADD  #1
        JC   target
.endmacro

;; Jumps to target if [a] and [b] differ. 6 instructions, or 5 if not; A is lost, C is 0 if it
;; jumps.
.macro bne a, b, target
        compare a, b
        ADD  #1
        bnc  target
.endmacro

;; Jumps to one of count pieces of code, the one with the number [a], counted from 0. The pieces
;; begin at first, and each has stride instructions. The machine cannot compute an address, so this
;; is a binary search with 3 instructions for each step: 9 for a count of 8, or 10 if [a] is even. A
;; and C are lost.
.macro dispatch a, first, count, stride = 1
        dispatch_between a, first, 0, count - 1, stride
.endmacro

;; Like `dispatch`, for an [a] from low to high. The first piece is at first + stride * low.
.macro dispatch_between a, first, low, high, stride = 1
  .if low == high
        JMP  first + stride * low
  .else
    @middle = (low + high + 1) / 2
        LDI  256 - @middle
        ADD  a                  ; C is 1 if [a] is middle or more
    .if @middle == high
        JC   first + stride * high
    .else
        JC   @upper
    .endif
        dispatch_between a, first, low, @middle - 1, stride
    .if @middle < high
@upper: dispatch_between a, first, @middle, high, stride
    .endif
  .endif
.endmacro
