; Eight queens that correct themselves.
;
; The idea. The queens stand in a line, one in each column, on rows that chance gave them. Each one
; looks only at those in front of her, to the left. If one of those attacks her she moves down, and
; from the lowest row to the top, until none does; then she passes play to the queen behind her.
; If she fails on all eight squares she returns play, in trouble, to the one in front of her, who
; has to move on. When the last one is safe the board is solved. After 64 moves they give up, and
; all go to new rows.
;
; The origin. It was published as a recursive program in C, in which each queen calls the next; the
; article piped what it printed through sort and uniq, to see that all arrangements came. Here there
; is no stack to recurse on, and none is needed: the code of a queen knows who stands next to her.
;
; The layout. The red LEDs show all queens at all times, those that are attacked as well.
;   row              the row of each queen, 0 to 7
;   queen            the same as a bit, 01 for row 0
;   columns, lower, higher   what is not attacked, as in lib/attacks.asm; that board lies on its
;                    side, its rows are our columns
;   tries            how many squares the queen who plays has not tried yet
;   moves            how many moves are left until all give up
;   random           the generator; what memory holds at power-up is the seed
;
; The cost. It goes on for ever. A shuffle and the play after it take 3,200 instructions; one play
; in four ends with an arrangement. After some 50 million instructions all 92 have come.

.title "Eight queens that correct themselves, for ever"
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/constants.asm"
.include "lib/print.asm"
.include "lib/random.asm"
.include "lib/attacks.asm"

.var row, 8
.var queen, 8
.var tries
.var moves

        plant_constants
        plant 7
.repeat 8, b
        plant 1 << b
        plant -(1 << b)
.endrepeat
        wake_random
        LDI  0
.repeat 8, r
        ST   GREEN + r
.endrepeat

; ---- Shuffle: every queen goes to a random row.

shuffle:
        LDI  0
.repeat 8, r
        ST   RED + r
.endrepeat
.repeat 8, n
        next_random
        SHR                     ; of these bits, all eight queens' are independent
        NAND number + 7
        NAND ff
        ST   row + n
        dispatch row + n, @rows, 8, stride = 6
@rows:
  .repeat 8, r
        LD   RED + r
        ADD  number + (1 << n)
        ST   RED + r
        set  queen + n, 1 << r
        JMP  @placed
  .endrepeat
@placed:
.endrepeat
        set  moves, 64

; ---- Play, from queen to queen. She is safe, or she moves until she is.

.repeat 8, n
play{n}:
        set  tries, 7
safe{n}:
  .if n == 0
        start_attacks queen     ; nobody stands in front of her
  .else
        stand n, queen + n, attacked{n}
  .endif
        JMP  n < 7 ? play{n+1} : solved

  .if n > 0
attacked{n}:
        LD   tries
        ADD  ff
        JC   move{n}
        JMP  trouble{n-1}       ; all eight squares failed
  .endif

; Play comes back from behind: the square where she stands is no good.
trouble{n}:
        LDI  7 - 1
move{n}:
        ST   tries
        LD   moves
        ADD  ff
        bnc  shuffle            ; the 64 moves were made
        ST   moves
        dispatch row + n, @down, 8, stride = 11
@down:
  .repeat 8, r
    @below = (r + 1) % 8
        LD   RED + r
        ADD  number + lo(-(1 << n))
        ST   RED + r
        LD   RED + @below
        ADD  number + (1 << n)
        ST   RED + @below
        set  queen + n, 1 << @below
        set  row + n, @below
        JMP  safe{n}
  .endrepeat
.endrepeat

solved: print_queens RED
        JMP  shuffle
