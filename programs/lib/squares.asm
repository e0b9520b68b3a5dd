; Squares of the display that are known only while the program runs. A square is two bytes: its row,
; 0 to 7, and its column as a bit. A board is eight bytes, one per row, such as GREEN or RED.
;
; The machine has no indexing, so programs go to one of eight pieces of code with `dispatch`.

.include "std.asm"

ROW     = 0                     ;; the offset of the row in a square
COLUMN  = 1                     ;; the offset of the column

;; A <- [table + [index]], with an index from 0 to 7. 11 or 12 instructions; C is lost.
.macro fetch table, index
        dispatch index, @pieces, 8, stride = 2
@pieces:
  .repeat 8, i
        LD   table + i
        JMP  @done
  .endrepeat
@done:
.endmacro

;; [table + [index]] <- [value]. 12 or 13 instructions; A is the value afterwards, C is lost.
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

;; A <- the square's bit in a board, at its position, or 0 if it is not set. 14 instructions at
;; most; C is lost.
.macro look board, square
        fetch board, square + ROW
        NAND square + COLUMN
        NAND #0xff
.endmacro

;; Sets the square's bit in a board. 32 instructions at most; A and C are lost.
.macro plot board, square
  .var @bits
        fetch board, square + ROW
        ST   @bits
        or   @bits, square + COLUMN
        ST   @bits
        store @bits, board, square + ROW
.endmacro

;; Clears the square's bit in a board. 34 instructions at most; A and C are lost.
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

;; Moves a square by one, around the edges. 5 instructions; A and C are lost.
.macro move_up square
        LD   square + ROW
        ADD  #0xff
        NAND #7
        NAND #0xff
        ST   square + ROW
.endmacro
.macro move_down square
        LD   square + ROW
        ADD  #1
        NAND #7
        NAND #0xff
        ST   square + ROW
.endmacro
.macro move_left square
        rotate_right square + COLUMN
        ST   square + COLUMN
.endmacro
.macro move_right square
        rotate_left square + COLUMN
        ST   square + COLUMN
.endmacro
