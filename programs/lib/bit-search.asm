; The search of queens-bits.asm and queens-bits-draw.asm. The former explains the idea and the cost.
;
; A program that uses this file defines two names above the `.include`:
;   - `untried`, the address of 8 bytes, one for each row, with the columns that are still to try;
;   - `mirror`, 0 if bit b of a set stands for bit b of the LEDs, or 7 if for bit 7 - b.
;
; It also defines two labels:
;   - `pick7`, reached when seven queens are placed and A + 1 is the bit of the eighth. The code
;     there ends with a jump to `next6`, which withdraws the queen of row 6.
;   - `finished`, reached when the search is complete.

; Each of these sets has a 1 for a square that no queen above attacks, because complements suit
; NAND. Only a square that is in all three is free.
.var columns, 8                 ;; For each row, the squares not attacked straight down.
.var lower, 8                   ;; Those not attacked on a diagonal towards the lower bits.
.var higher, 8                  ;; Those not attacked on a diagonal towards the higher bits.

.pool

;; Start with no queens: all squares are free.
        LDI  0                  ; an empty board
.repeat 8, r
  ;; Start with no queens: the red LEDs are dark.
  .why dark, "the search has not come to {square} yet"
        ST   RED + r
        ;; Start with no queens: the green LEDs are dark.
        ST   GREEN + r
.endrepeat
;; Start with no queens: no square is attacked.
        LDI  0xff
        ST   columns
        ST   lower
        ST   higher
        LDI  0xff - 1           ; row 0: all columns are to be tried
        JMP  pick0

; ---- Taking one column out of a set. A is the set minus `known`; its highest bit is one of `low`
; to `high`. To compare A with another number, add the difference of the two numbers to A. So the
; range is bisected until A is the set minus its highest bit, which is the set without that bit.

.macro pick n, known, low, high
  .if low < high
    @middle = (low + high + 1) / 2
        ADD  #known - (1 << @middle)
        JC   @upper
        pick n, 1 << @middle, low, @middle - 1
@upper: pick n, 1 << @middle, @middle, high
  .else
    .if known != 1 << low
        ADD  #known - (1 << low)
    .endif
        place n, low
  .endif
.endmacro

; ---- A queen is placed in row n, bit b. A holds the columns that are still to be tried after her.

.macro place n, b
;; Place a queen.
  .why red, "no queen above attacks {square}, so the search tries a queen on it"
  .why green, "no queen above attacks {square}, and it is still to be tried"
  .why dark, "a queen is being placed on {square}", was = "green"
  .why dark, "the queen on {square} moved on, as no square was left in the row below", was = "red"
  .why dark, "the queen in {above red} attacks this square, {direction red}"
  .if untried == GREEN
    .why dark, "a queen has already been tried on {square}, with the same queens above"
  .else
    .why dark, "no queen above attacks {square}, but this row's queen is on another"
  .endif
        ST   untried + n
        set  RED + n, 1 << (b ^ mirror)
  .if n == 7
        JMP  full
  .else
; The squares of the row below that are not attacked, with the new queen included: the bits of her
; column and of the two squares below it to the left and right are removed. A shift brings in a 0
; where a diagonal enters the board: the constants make it a 1.
;; Which squares of the row below does no queen attack?
        LD   columns + n
        ADD  #-(1 << b)
        ST   columns + n + 1
        LD   lower + n
        SHR
        ADD  #0x80 - (1 << b >> 1)
        ST   lower + n + 1
        LD   higher + n
        ADD  higher + n
        ADD  #lo(1 - (2 << b))
    .if n < 6
        ST   higher + n + 1
    .endif
; Find the squares for the next queen. The first NAND gives the squares attacked on a diagonal. Of
; the free columns c, c - (c and attacked) are free; A becomes that minus 1, and C is 1 if there
; are any.
        NAND lower + n + 1
        NAND columns + n + 1
        ADD  columns + n + 1
        JC   pick{n+1}
        JMP  next{n}
  .endif
.endmacro

.repeat 7, n
;; Pick a free square in the next row.
pick{n}:
        pick n, 1, 0, 7
.endrepeat

; ---- Back to the last row with a column that is still to be tried.

.repeat 7, i
;; Step back to the last row with a square to try.
  .why dark, "the queen on {square} was withdrawn, as no square was left in her row or the row below", was = "red"
  .why dark, "when this row was last searched, the queen in {above red} attacked this square, {direction red}"
  .why dark, "a queen was tried on {square} when this row was last searched"
next{6-i}:
  @n = 6 - i
        LD   untried + @n
        ADD  #0xff
        JC   pick{@n}
        set  RED + @n, 0        ; none: she is withdrawn
.endrepeat
        JMP  finished
