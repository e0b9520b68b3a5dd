; Macros for squares that a program computes while it runs. A square is two bytes: its row, from 0
; to 7, and its column, a byte with one bit set. A board is eight bytes, such as GREEN or RED.
;
; The machine has no indexing, so `dispatch` selects one of eight pieces of code, one for each row.

.include "std.asm"

ROW     = 0                     ;; The offset of the row in a square.
COLUMN  = 1                     ;; The offset of the column in a square.

;; A <- [table + [index]], for an [index] from 0 to 7. 11 or 12 instructions; C is lost.
.macro fetch table, index
        dispatch index, @pieces, 8, stride = 2
@pieces:
  .repeat 8, i
        LD   table + i
        JMP  @done
  .endrepeat
@done:
.endmacro

;; [table + [index]] <- [value]. 12 or 13 instructions; A holds the value afterwards, C is lost.
.macro store value, table, index
        dispatch index, @pieces, 8, stride = 3
@pieces:
  .repeat 8, i
        LD   value
        ST   table + i
        JMP  @done
  .endrepeat
@done:
.endmacro

;; A <- [square + COLUMN] if the square's bit in the board is set, otherwise 0. At most 14
;; instructions; C is lost.
.macro look board, square
        fetch board, square + ROW
        NAND square + COLUMN
        NAND #0xff
.endmacro

;; Sets the square's bit in a board. At most 32 instructions; A and C are lost.
.macro plot board, square
  .var @bits
        fetch board, square + ROW
        ST   @bits
        or   @bits, square + COLUMN
        ST   @bits
        store @bits, board, square + ROW
.endmacro

;; Clears the square's bit in a board. At most 34 instructions; A and C are lost.
.macro erase board, square
  .var @bits
        fetch board, square + ROW
        NAND #0xff
        ST   @bits
        or   @bits, square + COLUMN
        NAND #0xff
        ST   @bits
        store @bits, board, square + ROW
.endmacro

;; Moves a square up by one row, or from row 0 to row 7. 5 instructions; A and C are lost.
.macro move_up square
        LD   square + ROW
        ADD  #0xff
        NAND #7
        NAND #0xff
        ST   square + ROW
.endmacro
.macro move_down square         ;; Moves it down, or from row 7 to row 0. Costs like `move_up`.
        LD   square + ROW
        ADD  #1
        NAND #7
        NAND #0xff
        ST   square + ROW
.endmacro
.macro move_left square         ;; Moves it left, or from column 0 to 7. Costs like `move_up`.
        rotate_right square + COLUMN
        ST   square + COLUMN
.endmacro
.macro move_right square        ;; Moves it right, or from column 7 to 0. Costs like `move_up`.
        rotate_left square + COLUMN
        ST   square + COLUMN
.endmacro
