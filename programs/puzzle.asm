; Eight queens, a puzzle for a person.
;
; The idea. Place eight queens on the board so that none attacks another.
;
;   arrows   move the cursor, the green square that blinks
;   A        places a queen there, or removes her
;   B        clears the board
;   start    solves the puzzle from here: the other rows are shuffled until all is right. If the
;            queens on the board make that impossible, they are shuffled too. Any button stops it
;
; A queen is red, and blinks if she is attacked; attacked squares are yellow. When eight queens are
; placed and none is attacked, the board turns green, the queens blink in red, and the arrangement
; is printed.
;
; The origin. It was published as a web page, where queens were placed with clicks, and a button
; tried random permutations until one was a solution.
;
; The layout. The attacked squares are computed again after every move, for all squares of a row at
; once: a row is attacked from above along the lines that attack the row above, and from the queens
; in that row, straight or moved by a column; and likewise from below.
;   queens           a board: the queens; there may be several in a row
;   attacked         a board: the squares that a queen attacks
;   cursor           a square, see lib/squares.asm
;   blink            FF and 00 in turn
;   kept             for each row, while it solves: FF if its queen was there before
;
; The cost. An iteration of the main loop, which polls the buttons, takes 80 instructions. After a
; move, up to 1,000 more find the attacked squares, and 220 draw them. The shuffle tries a
; permutation in about 260; of all 40,320, one in 438 is a solution.

.title "Eight queens, a puzzle: place them with the buttons"    ; A places, B clears, Start solves.

.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/print.asm"
.include "lib/random.asm"
.include "lib/buttons.asm"
.include "lib/squares.asm"
.include "lib/attacks.asm"

TRIES   = 4096                  ; the number of permutations before all queens are shuffled

.var queens, 8
.var attacked, 8
.var cursor, 2
.var blink
.var wait                       ; iterations until it blinks
.var solved                     ; 1 if eight queens are placed and none is attacked
.var attacks_row                ; the squares of a row attacked from one side, in one direction

.var kept, 8
.var unused                     ; columns that no queen keeps
.var tries, 2                   ; low byte, high byte
.var chance
.var i
.var j
.var queen_i
.var queen_j

.grid queens, 8, "Q"
.grid attacked, 8, "x"
.legend red, "queen"
.legend yellow, "attacked"
.legend green, "cursor"
.result "solution"
.pool
        wake_random
;; Start with the cursor in the middle.
        set  cursor + ROW, 3
        set  cursor + COLUMN, 0b0000_1000

;; Clear the board.
clear:  LDI  0
.repeat 8, r
        ST   queens + r
.endrepeat
        forget_buttons

; ---- After a move: find the attacked squares; is the puzzle solved?

; Within a row a queen attacks all squares except her own; two or more attack all.
.macro look_along_row r
        LD   queens + r
        ADD  #0xff
        JC   @some
        LDI  0
        JMP  @known
@some:  NAND queens + r         ; FF if there is only one bit
        ADD  #1
        JC   @alone
        LDI  0xff
        JMP  @known
@alone: not  queens + r
@known: ST   attacked + r
.endmacro

; Goes through the rows, in steps of 1 or -1, with the attacks of one direction: along a column if
; turn is 0, else along a diagonal that moves to a lower or a higher bit with each row.
.macro look_across first, step, turn
        copy queens + first, attacks_row
  .repeat 7, n
    @r = first + step * (n + 1)
    .if turn < 0
        halve attacks_row
        ST   attacks_row
    .elseif turn > 0
        double attacks_row
        ST   attacks_row
    .endif
        or   attacked + @r, attacks_row
        ST   attacked + @r
    .if n < 6
        or   attacks_row, queens + @r
        ST   attacks_row
    .endif
  .endrepeat
.endmacro

;; Find the squares that the queens attack.
.why yellow, "the queen in {row Q} attacks this square, {direction Q}"
moved:
.repeat 8, r
        look_along_row r
.endrepeat
.repeat 3, turn
        look_across 0, 1, turn - 1
        look_across 7, -1, turn - 1
.endrepeat

        set  solved, 0
.repeat 8, r
        bz   queens + r, shown  ; no queen is in this row
        and  queens + r, attacked + r
        ADD  #0xff
        JC   shown              ; or one that is attacked
.endrepeat
        set  solved, 1
        print_queens queens

; Show the change at once.

;; Draw the chess board.
.why red, "the queen on {square} blinks, because the queen in {row Q} attacks her", was = "Q"
.why red, "a queen is on {square}, and no other queen attacks her", was = "Q"
.why dark, "the queen on {square} blinks, because the queen in {row Q} attacks her", was = "Q"
.why dark, "no queen is on {square}, and none attacks it"
shown:  set  blink, 0xff
        set  wait, 0
draw:   bnz  solved, draw_solved
.repeat 8, r
        not  queens + r
        NAND attacked + r
        NAND #0xff
        ST   GREEN + r
        and  queens + r, attacked + r
        NAND blink
        NAND queens + r
        NAND #0xff
        ST   RED + r            ; the queens, except those that blink
        or   RED + r, GREEN + r
        ST   RED + r
.endrepeat
;; Show the cursor, while it blinks.
.why green, "the cursor is on {square}"
        bz   blink, play
        plot GREEN, cursor
        erase RED, cursor
        JMP  play

;; Solved: the board turns green, and the queens blink.
.why green, "the puzzle is solved: the board is green, and the queens blink in it"
.why red, "the puzzle is solved, and the queen on {square} blinks"
draw_solved:
.repeat 8, r
        LD   queens + r
        NAND blink
        ST   GREEN + r
        NAND #0xff
        ST   RED + r
.endrepeat

; ---- The main loop: poll the buttons, act, blink.

;; Your move.
play:   listen
        step_random random, random + 1  ; so that the moment of a button press makes a difference
        unless_pressed BUTTON_UP, @down
        move_up cursor
        JMP  shown
@down:  unless_pressed BUTTON_DOWN, @left
        move_down cursor
        JMP  shown
@left:  unless_pressed BUTTON_LEFT, @right
        move_left cursor
        JMP  shown
@right: unless_pressed BUTTON_RIGHT, @a
        move_right cursor
        JMP  shown
@a:     unless_pressed BUTTON_A, @b
        look queens, cursor
        ADD  #0xff
        JC   @remove
        plot queens, cursor
        JMP  moved
@remove:
        erase queens, cursor
        JMP  moved
@b:     unless_pressed BUTTON_B, @start
        JMP  clear
@start: unless_pressed BUTTON_START, @time
        JMP  solve
@time:  decrement wait
        bnz  wait, play
        not  blink
        ST   blink
        JMP  draw

; ---- Solve. If no queen is attacked and the puzzle is not solved yet, the queens keep their
; places. The other rows get the remaining columns.

;; Solve: the queens that are attacked leave their rows.
.why dark, "the machine solves the puzzle, and shows only the queens"
.why red, "{square} was attacked, and the machine begins to solve the puzzle", was = "yellow"
solve:  LDI  0
.repeat 8, r
        ST   kept + r
        ST   GREEN + r
.endrepeat
        bnz  solved, @fill
.repeat 8, r
        and  queens + r, attacked + r
        ADD  #0xff
        JC   @fill
.endrepeat
.repeat 8, r
        bz   queens + r, @empty
        set  kept + r, 0xff
@empty:
.endrepeat

@fill:  set  solved, 0
        set  unused, 0xff
.repeat 8, r
        bz   kept + r, @next
        not  queens + r
        NAND unused
        NAND #0xff
        ST   unused
@next:
.endrepeat
.repeat 8, r
        bnz  kept + r, @next
        not  unused
        ADD  #1                 ; in minus a number only the lowest of its bits is the same
        NAND unused
        NAND #0xff
        ST   queens + r
        not  queens + r
        NAND unused
        NAND #0xff
        ST   unused
@next:
.endrepeat
        set  tries, lo(-TRIES)
        set  tries + 1, hi(-TRIES)

; Exchange two random rows until no queen is attacked.

;; Exchange two random rows, until no queen is attacked.
.why red, "the machine tries a queen on {square}", was = "Q"
.why dark, "the machine tries no queen on {square}"
shuffle:
        listen
        LD   silent
        ADD  #1
        bnc  moved              ; a button was pressed
        increment tries
        bnc  @choose
        increment tries + 1
        bnc  @choose
        LDI  0                  ; no solution: no queen keeps her place
.repeat 8, r
        ST   kept + r
.endrepeat

@choose:
        next_random
        ST   chance
        NAND #7
        NAND #0xff
        ST   i
        LD   chance
        SHR
        SHR
        SHR
        NAND #7
        NAND #0xff
        ST   j
        fetch kept, i
        ADD  #0xff
        JC   shuffle
        fetch kept, j
        ADD  #0xff
        JC   shuffle
        fetch queens, i
        ST   queen_i
        fetch queens, j
        ST   queen_j
        store queen_i, queens, j
        store queen_j, queens, i
.repeat 8, r
        copy queens + r, RED + r
.endrepeat

        start_attacks queens
.repeat 7, r
        stand r + 1, queens + r + 1, shuffle
.endrepeat
        JMP  moved
