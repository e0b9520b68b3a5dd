; Macros that most programs need. Each comment gives the number of instructions, which may depend on
; the data, and the effect on A and C.
;
; Macros that compute leave their result in A, so write `ST` after them. A program that uses these
; macros needs `.pool`.

; ---- Moving

;; to <- the byte at from. 2 instructions; A holds the byte afterwards, C stays.
.macro copy from, to
        LD   from
        ST   to
.endmacro

;; to <- value, a number known to the assembler. 2 instructions; A holds the number afterwards, C
;; stays.
.macro set to, value
        LDI  value
        ST   to
.endmacro

; ---- Bitwise operations

;; A <- not [a]. 2 instructions; C stays.
.macro not a
        LD   a
        NAND #0xff
.endmacro

;; A <- [a] and [b]. 3 instructions; C stays.
.macro and a, b
        LD   a
        NAND b
        NAND #0xff
.endmacro

;; A <- [a] or [b]. 5 instructions; C stays. It is NAND of the two complements.
.macro or a, b
  .var @not_a
        LD   a
        NAND a
        ST   @not_a
        NAND b
        NAND @not_a
.endmacro

;; A <- [a] exclusive-or [b]. 7 instructions; C stays.
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

;; A <- 2 [a]. 2 instructions; C is the bit shifted out.
.macro double a
        LD   a
        ADD  a
.endmacro

;; A <- [a] / 2. 2 instructions; C is the bit shifted out.
.macro halve a
        LD   a
        SHR
.endmacro

;; A <- [a] with its bits moved one place up, the highest to the lowest. 4 instructions; C is 0.
.macro rotate_left a
        LD   a
        ADD  a
        JC   @wrap
        JMP  @done
@wrap:  ADD  #1
@done:
.endmacro

;; A <- [a] with its bits moved one place down, the lowest to the highest. 4 instructions; C is 0.
.macro rotate_right a
        LD   a
        SHR
        JC   @wrap
        JMP  @done
@wrap:  ADD  #0x80
@done:
.endmacro

; ---- Adding

;; A <- [a] - [b]. 4 instructions; C is the borrow, 1 if [a] < [b]. It computes
;; not (not a + b), which is a - b.
.macro subtract a, b
        LD   a
        NAND #0xff
        ADD  b
        NAND #0xff
.endmacro

;; [a] <- [a] + 1. 3 instructions; A holds the sum afterwards; C is 1 if it is 0 again.
.macro increment a
        LD   a
        ADD  #1
        ST   a
.endmacro

;; [a] <- [a] - 1. 3 instructions; A holds the difference afterwards; C is 0 if [a] was 0.
.macro decrement a
        LD   a
        ADD  #0xff
        ST   a
.endmacro

; ---- Branching

;; Goes to target unless C is 1. 2 instructions, 1 if C is 1; A and C stay.
.macro bnc target
        JC   @on
        JMP  target
@on:
.endmacro

;; Goes to target if [a] = 0. 4 instructions, 3 if not; A is lost, C is 1 if [a] was not 0.
.macro bz a, target
        LD   a
        ADD  #0xff
        bnc  target
.endmacro

;; Goes to target if [a] is not 0. 3 instructions; A is lost, C is 1 if [a] was not 0.
.macro bnz a, target
        LD   a
        ADD  #0xff
        JC   target
.endmacro

;; C <- [a] < [b], as numbers from 0 to 255. 3 instructions; A <- [b] - [a] - 1.
.macro compare a, b
        LD   a
        NAND #0xff
        ADD  b
.endmacro

;; Goes to target if [a] < [b]. 4 instructions; A is lost, C is 1 if it goes.
.macro blt a, b, target
        compare a, b
        JC   target
.endmacro

;; Goes to target if [a] >= [b]. 5 instructions, 4 if not; A is lost, C is 0 if it goes.
.macro bge a, b, target
        compare a, b
        bnc  target
.endmacro

;; Goes to target if [a] = [b]. 5 instructions; A is lost, C is 1 if it goes. If they are
;; equal, [b] - [a] - 1 is FF, the only byte to which 1 cannot be added without a carry.
.macro beq a, b, target
        compare a, b
        ADD  #1
        JC   target
.endmacro

;; Goes to target if [a] is not [b]. 6 instructions, 5 if they are equal; A is lost, C is 0 if it
;; goes.
.macro bne a, b, target
        compare a, b
        ADD  #1
        bnc  target
.endmacro

;; Goes to the instruction that is stride * [a] places after first, where [a] is less than count. So
;; [a] selects one of count pieces of code of the same length, stride. The machine cannot compute an
;; address, so this is a binary search. It takes 3 instructions for each step, 9 for a count of 8,
;; and 1 more if the last step ends in the lower half; A and C are lost.
.macro dispatch a, first, count, stride = 1
        dispatch_between a, first, 0, count - 1, stride
.endmacro

;; The same for an [a] from low to high.
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
