; Eight queens by forward checking, the Gray-1's own demonstration.
;
; The program places eight queens on a chess board so that none attacks another. The search puts one
; queen into each row, from the top row down, and tries the columns from left to right. When a queen
; is placed, all squares that she attacks in the rows below are marked as excluded. If this leaves a
; row without a free square, she is withdrawn at once, long before the search would have got to that
; row. All 92 arrangements are printed in ascending order, one digit (the column, 1 to 8) per row.
;
; The machine has eight instructions and cannot compute an address. So no loop runs over a table:
; the assembler generates the code once for each row (`.repeat 8, n`), with the addresses in it.
; This makes the program long, and each of its steps simple. To read it, note the following:
;
;   - A set of columns is a byte with one bit per column: 01 is the leftmost, 80 the rightmost.
;   - NAND with FF inverts A.
;   - Adding FF sets C, unless A was 0. Adding 1 sets C only if A was FF.
;   - Adding a byte to itself shifts it left, SHR shifts it right. (On the display the directions
;     are reversed: bit 0 is on the left.)
;
; LEDs: red is a queen, green a square still to be tried in her row, or one that no queen attacks in
; a row below. A square is yellow for a moment when it gets its queen. The others are dark.

.title "Eight queens by forward checking"   ; Place eight queens so that none attacks another.
.include "lib/panel.asm"
.include "lib/std.asm"

.var N                          ; the number of queens placed, in rows 0 to N - 1
.var stack, 8                   ; the queen of each row as a set of one column
.var untried, 8                 ; the columns of each row that are still to be tried
.var excluded, 8 * 8            ; byte 8 n + r: the columns of row r that the first n queens attack

.var others                     ; all columns but the queen's
.var leftward                   ; where the queen's diagonals cross the current row
.var rightward
.var spared                     ; the columns of that row that the queen does not attack
.var digit                      ; the digit to print
.var bit

.show N, "queens placed"
.grid stack, 8, "Q", rows = N
.grid excluded, 64, "x", index = N
.grid untried, 8, "o"
.legend red, "queen"
.legend green, "still to try"
.legend yellow, "queen being placed"
.legend dark, "attacked or tried"
.count red, "queens set"
.result "solution"

; ---- Start. The contents of memory are undefined at power-up.

;; Start with no queens: all squares are free.
.why green, "the display still shows the empty board, where every square is free"
.why dark, "the search has only just begun, and has not set this row yet"

.pool                           ; the constants that ADD and NAND need, FF and 1
        set  N, 0
.repeat 8, r
        ST   excluded + r       ; without queens no square is attacked (A is 0)
        ST   RED + r
.endrepeat
        LDI  0xff
        ST   untried
.repeat 8, r
        ST   GREEN + r
.endrepeat

; ---- The code of each row. N = n queens are placed; row n gets the next one.

.repeat 8, n

;; Is there a square left to try in this row?
row{n}: LD   untried + n
        ADD  #0xff
        JC   try{n}             ; a square is left to try
        JMP  back{n}            ; row n is exhausted

; "x and -x" keeps the lowest of the bits of x.
;; Place a queen on the leftmost square still to be tried.
  .why red, "the queen is on {square}, the leftmost that was left to try in her row"
  .why yellow, "a queen is being placed on {square}, the leftmost left to try in her row"
  .why dark, "a queen has already been tried on {square}, with the same queens above"
try{n}: LD   untried + n
        NAND #0xff
        ADD  #1                 ; -x
        NAND untried + n
        ST   others
        NAND #0xff
        ST   stack + n
        ST   leftward
        ST   rightward
        LD   others
        NAND untried + n
        NAND #0xff
        ST   untried + n        ; tried now

  .repeat 7 - n, below
    @r = n + 1 + below
    ;; Exclude the squares that she attacks in the rows below.
    .why dark, "the queen in {row Q} attacks this square, {direction Q}"
        LD   leftward
        SHR
        ST   leftward
        LD   rightward
        ADD  rightward
        ST   rightward
        ADD  leftward
        ADD  stack + n          ; three different bits: their sum is their union
        NAND #0xff
        ST   spared
        LD   excluded + 8 * n + @r
        NAND #0xff
        NAND spared             ; not (not excluded and spared): excluded or attacked
        ST   excluded + 8 * (n + 1) + @r
        ;; Does a row below have no free square now? Withdraw her.
        ADD  #1
        JC   row{n}             ; row r has no free square left: withdraw her, try the next
  .endrepeat

;; The queen stays: each row below has a free square.
  .why green, "no queen above attacks {square}, and it is still to be tried"
        copy stack + n, RED + n
        copy untried + n, GREEN + n
  .if n < 7
        LD   excluded + 8 * (n + 1) + n + 1
        NAND #0xff
        ST   untried + n + 1    ; in the next row all free squares are to be tried
  .endif
        JMP  show{n+1}
.endrepeat

; ---- Backtrack. If the row of the last queen is exhausted too, fall through to the row above. At
; `back{n}` n queens are placed.

;; Step back: withdraw the last queen.
.why dark, "the queen on {square} has just been withdrawn", was = "red"

.repeat 8, taken
back{8-taken}:
  @r = 7 - taken
        set  RED + @r, 0
        LD   untried + @r
        ADD  #0xff
        JC   show{@r}           ; a square is left to try
.endrepeat

;; The search is complete: show the empty chess board again.
.why green, "the search is complete, and the board is empty again"
back0:
        set  N, 0
        LDI  0xff
.repeat 8, r
        ST   GREEN + r
.endrepeat
        HALT

; ---- The free squares, for each number of queens.

;; Show the free squares below the queens.
.why green, "no queen attacks this square; {count Q} {queen is|queens are} placed above it"

.repeat 9, n
show{n}:
        set  N, n
  .repeat 8 - n, below
    @r = n + below
        LD   excluded + 8 * n + @r
        NAND #0xff
        ST   GREEN + @r
  .endrepeat
        JMP  shown
.endrepeat

; A queen was placed or withdrawn, and the LEDs show it. A counts up from N - 8, and the addition
; that makes it 0 sets C.
;; Continue in the row below the queens.
shown:  LDI  -8
        ADD  N
        JC   full
.repeat 7, i
        ADD  #1
        JC   row{7-i}
.endrepeat
        JMP  row0

; ---- All queens are placed. Then backtrack to find the next arrangement.

;; Found: no queen attacks another. Print their columns.
full:
.repeat 8, r
        copy stack + r, bit
        set  digit, '0'
@count: LD   digit              ; count the shifts until the queen's bit falls out
        ADD  #1
        ST   digit
        LD   bit
        SHR
        ST   bit
        JC   @print
        JMP  @count
@print: copy digit, MAILBOX
.endrepeat
        set  MAILBOX, '\n'
        JMP  back8
