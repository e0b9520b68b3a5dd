; Finds the attacked squares while a program places queens on a board, row by row from the top. It
; adds the columns to the diagonals of lib/diagonals.asm.

.include "diagonals.asm"

.var columns, 8                 ;; For each row, a 1 in each column without a queen above.

;; Computes the sets of row 1, for a queen in row 0 whose bit is [queen]. 10 instructions.
.macro start_attacks queen
        not  queen
        ST   columns + 1
        start_diagonals columns + 1
.endmacro

;; Puts the queen [queen] into a row and computes the sets of the row below, or jumps to `attacked`
;; if a queen above attacks her. 22 instructions, or 7 in row 7, or 8 if she is attacked.
.macro stand row, queen, attacked
  .var @minus
; The attacked squares are those missing from one of the sets. If the queen's square is not
; attacked, A becomes queen - 1 and C is 1; otherwise A becomes 0 - 1 and C is 0.
        LD   lower + row
        NAND higher + row
        NAND #0xff
        NAND columns + row
        NAND queen
        ADD  queen
        bnc  attacked
  .if row < 7
        NAND #0xff              ; the complement of queen - 1 is minus the queen
        ST   @minus
        ADD  columns + row
        ST   columns + row + 1
        follow_diagonals row, @minus
  .endif
.endmacro
