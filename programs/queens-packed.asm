; Eight queens by backtracking over a packed board.
;
; The idea. The whole board is one number of 24 bits, three a row: the column, 0 to 7, of the row's
; queen. To place a queen is to push three bits into the number from below, to take back the newest
; one is to pull them out again; so the number is board and stack in one. What the queens attack is
; kept in three sets: a bit for each column and for each diagonal of either kind. One loop does it
; all, with three moves:
;   push      a square is free: a queen is placed there, and the row below is next
;   pop       a row has no squares left: the queen above is taken back, her next square is tried
;   success   eight queens stand: print the board and count it, then pop
;
; The origin. It was published for MIPS and in Python, to compare the two. The board is printed in
; octal, which shows the columns as they are; the published program drops zeros in front, this one
; keeps them.
;
; The layout.
;   board            3 bytes, the lowest first; the newest queen has the lowest three bits
;   depth            how many queens stand, times 8
;   square           the square to be tried: 8 row + column
;   columns          the columns that are used
;   falling, rising  2 bytes each, the diagonals that are used: 7 - row + column and row + column
; The loop is one; but what a square means for the sets are constants, so there is a stretch of code
; for each of the 64 squares, and the loop finds its way to it by halving.
;
; The cost. 567,700 instructions, 36 for each of the 15,720 squares that are tried.

.title "Eight queens by backtracking over a packed board"
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/constants.asm"
.include "lib/print.asm"

.var board, 3
.var depth
.var square
.var columns
.var falling, 2
.var rising, 2

.var found                      ; how many boards
.var word, 3                    ; a board on its way to be printed
.var digit
.var digits                     ; how many are left to print

; ---- Words for the sets and the board

; Goes to target if bit is in the set. 4 instructions, 5 if it goes.
.macro if_used set, bit, target
        LDI  1 << bit % 8
        NAND set + bit / 8
        ADD  one                ; C is 0 unless A was FF
        bnc  target
.endmacro

; Puts a bit into a set that does not have it; takes it out of a set that has it. 3 instructions.
.macro use set, bit
        LD   set + bit / 8
        ADD  number + (1 << bit % 8)
        ST   set + bit / 8
.endmacro
.macro free set, bit
        LD   set + bit / 8
        ADD  number + lo(-(1 << bit % 8))
        ST   set + bit / 8
.endmacro

; Shifts a word of three bytes left; a 0 comes in. 11 to 17 instructions.
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

; Shifts it right; a 0 comes in. 11 to 17 instructions.
.macro shift_right word
  .repeat 3, i
        halve word + i
        ST   word + i
    .if i > 0
        bnc  @even
        LD   word + i - 1
        ADD  number + 0x80
        ST   word + i - 1
@even:
    .endif
  .endrepeat
.endmacro

; ---- Start: an empty board, everything still to be tried

        plant_constants
        plant 7
.repeat 8, b
        plant 1 << b
        plant -(1 << b)
.endrepeat
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

row:    copy depth, square
        dispatch square, square0, 64, stride = SIZE

; ---- The squares. Each has one stretch of code that tries it and one that takes back its queen;
; behind both the next square of the row is tried.

SIZE    = square1 - square0

.repeat 64, s
square{s}:
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
        free columns, s % 8
        free falling, 7 - s / 8 + s % 8
        free rising, s / 8 + s % 8
        set  RED + s / 8, 0
beside{s}:
        JMP  s % 8 == 7 ? pop : square{s+1}
.endrepeat

; ---- Push: a queen stands in the column that A says.

push:   ST   square
.repeat 3
        shift_left board
.endrepeat
        LD   board
        ADD  square
        ST   board
        LD   depth
        ADD  number + 8
        ST   depth
        LDI  256 - 64
        ADD  depth
        bnc  row

; ---- Success: eight queens stand. Their columns fall out of a copy of the board at the top, bit by
; bit.

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

; ---- Pop: take back the newest queen, unless there is none.

pop:    bz   depth, done
        LD   depth
        ADD  number + lo(-8)
        ST   depth
        and  board, number + 7
        ADD  depth
        ST   square
.repeat 3
        shift_right board
.endrepeat
        dispatch square, taken0, 64, stride = SIZE

done:   print_decimal found
        set  MAILBOX, '\n'
        HALT
