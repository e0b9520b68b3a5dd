; Eight queens that correct themselves.
;
; The idea. There is one queen in each column, on a random row. Each queen considers only those in
; front of her, to the left. While one of them attacks her, she moves down, and from the lowest row
; to the top. When she is safe, she passes the turn to the queen behind her. If she fails on all
; eight squares, she returns the turn to the queen in front of her, who has to move. When the last
; queen is safe, the puzzle is solved. After 64 moves they give up, and all move to new random rows.
;
; The origin. It was published as a recursive program in C, in which each queen calls the next; the
; article piped its output through sort and uniq, to see that all arrangements were found. Here
; there is no stack for recursion, and none is needed: the code of each queen knows her neighbours.
;
; The layout. The red LEDs show all queens at all times, including those that are attacked.
;   row              the row of each queen, 0 to 7
;   queen            the same as a bit, 01 for row 0
;   columns, lower, higher   the squares that are not attacked, as in lib/attacks.asm; the rows of
;                    that library are the columns here
;   tries            the number of squares that the current queen has not tried yet
;   moves            the number of moves until all give up
;   random           the generator; the contents of memory at power-up are the seed
;
; The cost. The program never ends. A shuffle and the moves after it take 3,200 instructions; one
; shuffle in four leads to an arrangement. After about 50 million instructions all 92 were found.

.title "Eight queens that correct themselves, for ever"
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/print.asm"
.include "lib/random.asm"
.include "lib/attacks.asm"

.var row, 8
.var queen, 8
.var tries
.var moves

.show moves, "moves left"
.legend red, "queen"
.legend dark, "empty"
.count red, "queens set"
.result "solution"

.pool
        wake_random
;; Start with a dark display.
.why dark, "no queen has been placed yet"
        LDI  0
.repeat 8, r
        ST   GREEN + r
.endrepeat

; ---- Shuffle: every queen goes to a random row.

;; Shuffle: every queen goes to a random row.
.why red, "the last shuffle has put a queen on {square}"
.why dark, "the last shuffle has put no queen on {square}, and none has come since"
shuffle:
        LDI  0
.repeat 8, r
        ST   RED + r
.endrepeat
.repeat 8, n
        next_random
        SHR                     ; of these bits, all eight queens' are independent
        NAND #7
        NAND #0xff
        ST   row + n
        dispatch row + n, @rows, 8, stride = 6
@rows:
  .repeat 8, r
        LD   RED + r
        ADD  #1 << n
        ST   RED + r
        set  queen + n, 1 << r
        JMP  @placed
  .endrepeat
@placed:
.endrepeat
        set  moves, 64

; ---- The turns, from queen to queen. Each queen moves until she is safe.

.repeat 8, n
;; Is this queen safe?
play{n}:
        set  tries, 7
safe{n}:
  .if n == 0
        start_attacks queen     ; no queen is in front of her
  .else
        stand n, queen + n, attacked{n}
  .endif
        JMP  n < 7 ? play{n+1} : solved

  .if n > 0
attacked{n}:
        LD   tries
        ADD  #0xff
        JC   move{n}
        JMP  trouble{n-1}       ; all eight squares failed
  .endif

; The turn comes back from behind: her present square leads nowhere.
trouble{n}:
        LDI  7 - 1
;; Move her to another square of her column.
  .why red, "the queen of this column has moved down to {square}"
  .why dark, "the queen of this column has left {square}"
move{n}:
        ST   tries
        LD   moves
        ADD  #0xff
        bnc  shuffle            ; the 64 moves were made
        ST   moves
        dispatch row + n, @down, 8, stride = 11
@down:
  .repeat 8, r
    @below = (r + 1) % 8
        LD   RED + r
        ADD  #-(1 << n)
        ST   RED + r
        LD   RED + @below
        ADD  #1 << n
        ST   RED + @below
        set  queen + n, 1 << @below
        set  row + n, @below
        JMP  safe{n}
  .endrepeat
.endrepeat

;; Found: no queen attacks another.
solved: print_queens RED
        JMP  shuffle
