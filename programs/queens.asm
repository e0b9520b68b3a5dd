; Eight queens by forward checking, the Gray-1's own demonstration.
;
; Eight queens are to stand on a chess board so that none attacks another. The search puts one
; queen into each row, from the top row down, trying the columns from left to right. The moment a
; queen is placed, all squares she attacks in the rows below are marked as excluded; if that leaves
; some row without a free square she is withdrawn at once, long before the search would have got
; there. All 92 arrangements are printed in ascending order, a digit (the column, 1 to 8) a row.
;
; The machine has eight instructions and no way to compute an address. So a table is never walked:
; the assembler writes the code out once for every row (`.repeat 8, n`), with the addresses in it.
; That makes the program long and its every step plain. What to know in order to read it:
;
;   - A set of columns is a byte, a bit a column: 01 is the leftmost, 80 the rightmost.
;   - NAND with FF inverts A.
;   - Adding FF sets C, unless A was 0. Adding 1 sets C only if A was FF.
;   - Adding a byte to itself shifts it left, SHR shifts it right. (On the board it is the other
;     way round: bit 0 is drawn on the left.)
;
; LEDs: red is a queen. Green in the row of a queen is a square still to be tried there, green in
; a row below the queens is a square that no queen attacks.

.title "Eight queens by forward checking"
.include "lib/panel.asm"
.include "lib/std.asm"

.var N                          ; how many queens stand: rows 0 to N - 1 have one
.var stack, 8                   ; the queen of each row as a set of one column
.var untried, 8                 ; the columns of each row that are still to be tried
.var excluded, 8 * 8            ; byte 8 n + r: the columns of row r that the first n queens attack

.var ff                         ; the constants FF, 1 and -8: there is no immediate ADD or NAND,
.var one                        ; so the program plants them itself
.var minus8

.var others                     ; all columns but the queen's
.var leftward                   ; where the queen's diagonals cross the row under study
.var rightward
.var spared                     ; the columns of that row that the queen does not attack
.var digit                      ; what is being printed
.var bit

; ---- Start: an empty board. Memory may hold anything at power-up.

        set  minus8, -8
        set  one, 1
        set  N, 0
.repeat 8, r
        ST   excluded + r       ; no queens attack no squares (A is 0)
        ST   RED + r
.endrepeat
        set  ff, 0xff
        ST   untried
.repeat 8, r
        ST   GREEN + r
.endrepeat

; ---- One stretch of code for each row. N = n queens stand; row n is to get the next.

.repeat 8, n

row{n}: LD   untried + n
        ADD  ff
        JC   try{n}             ; something is left to try
        JMP  back{n}            ; row n is exhausted

; The leftmost untried column: of all bits of x, "x and -x" keeps the lowest one.
try{n}: LD   untried + n
        NAND ff
        ADD  one                ; -x
        NAND untried + n
        ST   others
        NAND ff
        ST   stack + n
        ST   leftward
        ST   rightward
        LD   others
        NAND untried + n
        NAND ff
        ST   untried + n        ; tried now

; What this queen adds to the excluded squares, for each row below hers.
  .repeat 7 - n, below
    @r = n + 1 + below
        LD   leftward
        SHR
        ST   leftward
        LD   rightward
        ADD  rightward
        ST   rightward
        ADD  leftward
        ADD  stack + n          ; three different bits: their sum is their union
        NAND ff
        ST   spared
        LD   excluded + 8 * n + @r
        NAND ff
        NAND spared             ; not (not excluded and spared): excluded or attacked
        ST   excluded + 8 * (n + 1) + @r
        ADD  one
        JC   row{n}             ; no free square is left in row r: withdraw her, try the next
  .endrepeat

; She stands.
        copy stack + n, RED + n
        copy untried + n, GREEN + n
  .if n < 7
        LD   excluded + 8 * (n + 1) + n + 1
        NAND ff
        ST   untried + n + 1    ; in the next row everything free is to be tried
  .endif
        JMP  show{n+1}
.endrepeat

; ---- Step back: take back the queen of the newest row. If that row is exhausted too, fall through
; to the row above it. `back{n}` is where n queens stand.

.repeat 8, taken
back{8-taken}:
  @r = 7 - taken
        set  RED + @r, 0
        LD   untried + @r
        ADD  ff
        JC   show{@r}           ; something is left to try there
.endrepeat

; Everything was tried: show an empty board again.
back0:
        set  N, 0
        LDI  0xff
.repeat 8, r
        ST   GREEN + r
.endrepeat
        HALT

; ---- Show the free squares below the queens, for each number of queens.

.repeat 9, n
show{n}:
        set  N, n
  .repeat 8 - n, below
    @r = n + below
        LD   excluded + 8 * n + @r
        NAND ff
        ST   GREEN + @r
  .endrepeat
        JMP  shown
.endrepeat

; A queen was placed or taken back, and the LEDs show it. Go on in row N: A counts up from N - 8,
; and the addition that makes it 0 sets C.
shown:  LD   N
        ADD  minus8
        JC   full
.repeat 7, i
        ADD  one
        JC   row{7-i}
.endrepeat
        JMP  row0

; ---- The board is full: print it, then step back and look for the next arrangement.

full:
.repeat 8, r
        copy stack + r, bit
        set  digit, '0'
@count: LD   digit              ; count the shifts until the queen's bit falls out
        ADD  one
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
