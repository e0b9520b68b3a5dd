; Finds the squares attacked along diagonals while a program places queens on a board, row by row
; from the top. Each row has two sets of columns: `lower` has those that no queen above attacks on a
; diagonal down towards the lower bits, and `higher` is the same for the higher bits. So the NAND of
; both sets has the attacked squares.

; From one row to the next, `lower` moves one bit to the right, and `higher` one bit to the left. A
; shift brings in a 0 where a diagonal enters the board, so the macros add a 1 there. They remove a
; queen from a set by adding minus her bit.

.include "std.asm"

.var lower, 8
.var higher, 8

;; Computes the sets of row 1 for a queen in row 0. [others] is the complement of her bit, and must
;; also be in A. 7 instructions.
.macro start_diagonals others
        SHR
        ADD  #0x80
        ST   lower + 1
        double others
        ADD  #1
        ST   higher + 1
.endmacro

;; Computes the sets of row + 1 for a queen in this row, whose square must be in both sets. [minus]
;; is minus her bit. 11 instructions.
.macro follow_diagonals row, minus
  .var @moving
        LD   lower + row
        ADD  minus
        SHR
        ADD  #0x80
        ST   lower + row + 1
        LD   higher + row
        ADD  minus
        ST   @moving
        ADD  @moving
        ADD  #1
        ST   higher + row + 1
.endmacro
