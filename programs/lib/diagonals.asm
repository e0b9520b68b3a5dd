; The diagonals of a board on which queens are placed row by row, from the top. For each row there
; are two sets of columns: the squares that no queen above attacks on a diagonal that runs down
; towards the lower bits, and on one that runs down towards the higher bits. In the next row, the
; first set has moved one bit to the right and the second one bit to the left. A shift brings in a
; 0 where a diagonal enters the board, so the macros add a 1 there.
;
; The sets are complements of the attacked squares, so NAND of both sets gives the attacked
; squares.

.include "std.asm"

.var lower, 8
.var higher, 8

;; Makes the sets for row 1, with a queen in row 0. `others` is the complement of her bit, in memory
;; and in A. 7 instructions.
.macro start_diagonals others
        SHR
        ADD  #0x80
        ST   lower + 1
        double others
        ADD  #1
        ST   higher + 1
.endmacro

;; Makes the sets for row + 1, with a queen in this row, on a square that is in both sets. [minus]
;; is minus her bit, which removes it from a set. 11 instructions.
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
