; Eight queens by backtracking over a packed board.
;
; The idea. The whole board is one number of 24 bits, three per row: the column, 0 to 7, of the
; row's queen. To place a queen, the program shifts three bits into the number; to withdraw the
; last one, it shifts them out. So the number is board and stack in one. The attacked columns and
; diagonals are kept in three sets, with a bit for each column and for each diagonal of either
; direction. One loop does it all, with three operations:
;   push      a square is free: a queen is placed there, and the row below is next
;   pop       a row has no squares left: the queen above is withdrawn, her next square is tried
;   success   eight queens are placed: print the board and count it, then pop
;
; The origin. It was published for MIPS and in Python, to compare the two. The board is printed in
; octal, so that each digit is a column. The published program omits leading zeros, this one prints
; them.
;
; The layout.
;   board            3 bytes, the lowest first; the newest queen has the lowest three bits
;   depth            the number of queens, times 8
;   square           the square to be tried: 8 row + column
;   columns          the columns that are used
;   falling, rising  2 bytes each, the diagonals that are used: 7 - row + column and row + column
; There is one loop. But the bits of a square in the sets are constants, so there is a piece of code
; for each of the 64 squares, and the loop finds it by bisection.
;
; The cost. 567,694 instructions, 36 for each of the 15,720 squares that are tried.

.title "Eight queens by backtracking over a packed board"
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/print.asm"

.var board, 3
.var depth
.var square
.var columns
.var falling, 2
.var rising, 2

.var found                      ; the number of boards
.var word, 3                    ; the board to be printed
.var digit
.var digits                     ; the number of digits that are still to be printed

.show found, "arrangements"
.legend red, "queen"
.legend green, "still to be tried"
.legend dark, "not to be tried"
.count red, "queens set"
.result "solution"

; ---- Macros for the sets and the board

; Goes to target if bit is in the set. 4 instructions, 5 if taken.
.macro if_used set, bit, target
        LDI  1 << bit % 8
        NAND set + bit / 8
        ADD  #1                 ; C is 0 unless A was FF
        bnc  target
.endmacro

; Adds a bit to a set that does not have it, or removes it from a set that has it. 3 instructions.
.macro use set, bit
        LD   set + bit / 8
        ADD  #1 << bit % 8
        ST   set + bit / 8
.endmacro
.macro free set, bit
        LD   set + bit / 8
        ADD  #-(1 << bit % 8)
        ST   set + bit / 8
.endmacro

; Shifts a word of three bytes left, with a 0 shifted in. 11 to 17 instructions.
.macro shift_left word
  .repeat 3, i
        double word + 2 - i
        ST   word + 2 - i
    .if i > 0
        bnc  @even
        increment word + 3 - i
@even:
    .endif
  .endrepeat
.endmacro

; Shifts it right, with a 0 shifted in. 11 to 17 instructions.
.macro shift_right word
  .repeat 3, i
        halve word + i
        ST   word + i
    .if i > 0
        bnc  @even
        LD   word + i - 1
        ADD  #0x80
        ST   word + i - 1
@even:
    .endif
  .endrepeat
.endmacro

; ---- Start: an empty board, all squares still to be tried

.pool
;; Start with an empty board.
.why dark, "the search has not come to {square} yet"
        LDI  0
        ST   found
        ST   board
        ST   board + 1
        ST   board + 2
        ST   columns
        ST   falling
        ST   falling + 1
        ST   rising
        ST   rising + 1
        ST   depth
.repeat 8, r
        ST   RED + r
        ST   GREEN + r
.endrepeat

; ---- The loop: try the squares of a row from the left

;; Try the squares of a row from the left.
row:    copy depth, square
        dispatch square, square0, 64, stride = SIZE

; ---- The squares. Each has a piece of code that tries it and one that withdraws its queen; after
; both the next square of the row is tried.

SIZE    = square1 - square0

.repeat 64, s
square{s}:
;; Try this square.
  .why red, "no queen above attacks {square}, so a queen is on it"
  .why green, "{square} is still to be tried"
  .why dark, "{square} has already been tried"
        set  GREEN + s / 8, lo(0xfe << s % 8)
        if_used columns, s % 8, beside{s}
        if_used falling, 7 - s / 8 + s % 8, beside{s}
        if_used rising, s / 8 + s % 8, beside{s}
        use  columns, s % 8
        use  falling, 7 - s / 8 + s % 8
        use  rising, s / 8 + s % 8
        set  RED + s / 8, 1 << s % 8
        LDI  s % 8
        JMP  push

taken{s}:
;; Take the queen off this square.
  .why dark, "the queen on {square} was withdrawn", was = "red"
        free columns, s % 8
        free falling, 7 - s / 8 + s % 8
        free rising, s / 8 + s % 8
        set  RED + s / 8, 0
beside{s}:
        JMP  s % 8 == 7 ? pop : square{s+1}
.endrepeat

; ---- Push: a queen is placed in the column in A.

;; Place a queen on this square.
push:   ST   square
.repeat 3
        shift_left board
.endrepeat
        LD   board
        ADD  square
        ST   board
        LD   depth
        ADD  #8
        ST   depth
        LDI  256 - 64
        ADD  depth
        bnc  row

; ---- Success: eight queens are placed. Their columns are shifted out of a copy of the board, bit
; by bit.

;; Found: eight queens, and none attacks another. Print their columns.
        increment found
.repeat 3, i
        copy board + i, word + i
.endrepeat
        set  digits, 8
print:  set  digit, 0
.repeat 3
        double digit
        ST   digit
        double word + 2
        bnc  @zero
        increment digit
@zero:  shift_left word
.endrepeat
        LDI  '0'
        ADD  digit
        ST   MAILBOX
        decrement digits
        bnz  digits, print
        set  MAILBOX, '\n'

; ---- Pop: withdraw the last queen, unless there is none.

;; Withdraw the last queen.
pop:    bz   depth, done
        LD   depth
        ADD  #-8
        ST   depth
        and  board, #7
        ADD  depth
        ST   square
.repeat 3
        shift_right board
.endrepeat
        dispatch square, taken0, 64, stride = SIZE

;; The search is complete.
done:   print_decimal found
        set  MAILBOX, '\n'
        HALT
