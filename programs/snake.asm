; Snake, on a display without edges: the snake leaves on one side and comes back on the other. The
; arrows steer. The snake grows when it eats the red food, which appears by chance: the contents of
; memory at power-up are the seed. It must not bite itself. When it does, its length is printed, the
; snake turns red, and any button starts a new game.
;
; A snake is a queue of squares, and a machine without indexing has no queues. But the program only
; needs the positions and directions of the head and of the tail, and the tail follows the head. So
; each square stores in two bits the direction in which the head left it.
;
; The layout.
;   GREEN            the snake itself: its body is stored in the LEDs only
;   across, onward   two boards: did the head leave the square to the side (1) or up or down (0)?
;                    And that way to higher rows or columns (1) or to lower ones (0)?
;   head, tail, next, food   a square each, see lib/squares.asm
;   turn             the direction of the head: across and onward, 0 or 1
;
; The cost. A step takes 25,000 instructions, a quarter of a second on a machine built of chips.
; Nearly all of them poll the buttons; PAUSE sets how many.

.title "Snake"                  ; Arrows steer; eat what is red. Any button begins again.
.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/print.asm"
.include "lib/random.asm"
.include "lib/buttons.asm"
.include "lib/squares.asm"

PAUSE   = 3                     ; how often to poll the buttons 256 times, twice in each step

ACROSS  = 0                     ; a way
ONWARD  = 1

.var head, 2
.var tail, 2
.var next, 2
.var food, 2
.var turn, 2
.var tail_turn, 2
.var length
.var eats                       ; 1 if the next square is the one with the food

.var across, 8
.var onward, 8

.var bits                       ; a row of some board
.var looks
.var rounds

.show length
.grid across, 8, "-"
.grid onward, 8, "+"
.legend green, "snake"
.legend red, "food"

; Moves a square one step in its direction. 15 instructions at most; A and C are lost.
.macro move square, way
        bnz  way + ACROSS, @across
        bnz  way + ONWARD, @down
        move_up square
        JMP  @done
@down:  move_down square
        JMP  @done
@across:
        bnz  way + ONWARD, @right
        move_left square
        JMP  @done
@right: move_right square
@done:
.endmacro

; Stores for the head's square, in one of the two boards, the direction in which the head leaves it.
.macro note board, flag
        bnz  flag, @set
        erase board, head
        JMP  @noted
@set:   plot board, head
@noted:
.endmacro

; Turns the head if the button was pressed, and continues at target.
.macro steer button, sideways, ahead, target
        unless_pressed button, @not
        set  turn + ACROSS, sideways
        set  turn + ONWARD, ahead
        JMP  target
@not:
.endmacro

; Waits, and polls the buttons.
.macro pause
        set  rounds, PAUSE
@round: set  looks, 0
@look:  listen
        decrement looks
        bnz  looks, @look
        decrement rounds
        bnz  rounds, @round
.endmacro

.pool
        wake_random

; ---- A new game: three squares in row 4, going to the right.

;; Start a new game.
.why dark, "the snake has not been here in this game"
.why green, "the snake starts here, and its tail has not left {square} yet"
game:   LDI  0
.repeat 8, r
        ST   GREEN + r
        ST   RED + r
.endrepeat
        set  GREEN + 4, 0b0000_1110
        set  across + 4, 0b0000_0110
        set  onward + 4, 0b0000_0110
        set  tail + ROW, 4
        set  tail + COLUMN, 0b0000_0010
        set  head + ROW, 4
        set  head + COLUMN, 0b0000_1000
        set  turn + ACROSS, 1
        set  turn + ONWARD, 1
        set  length, 3
        forget_buttons

; ---- Food, on a square that is free

;; Put food on a free square.
.why red, "the food was put on {square} at random"
feed:   next_random
        SHR
        NAND #7
        NAND #0xff
        ST   food + ROW
        next_random
        SHR
        NAND #7
        NAND #0xff
        ST   bits
        dispatch bits, @columns, 8, stride = 3
@columns:
.repeat 8, i
        set  food + COLUMN, 1 << i
        JMP  @there
.endrepeat
@there: look GREEN, food
        ADD  #0xff
        JC   feed
        store food + COLUMN, RED, food + ROW

; ---- A step. A snake that moves sideways can turn up or down, and vice versa. A button that makes
; no turn is ignored, unless another one did: then it is kept for the next step.

;; You steer the snake.
step:   pause
        bnz  turn + ACROSS, @across
        steer BUTTON_LEFT, 1, 0, @on
        steer BUTTON_RIGHT, 1, 1, @on
        JMP  @forget
@across:
        steer BUTTON_UP, 0, 0, @on
        steer BUTTON_DOWN, 0, 1, @on
@forget:
        set  silent, 0xff

@on:    copy head + ROW, next + ROW
        copy head + COLUMN, next + COLUMN
        move next, turn

; The tail follows, unless there is food ahead: so the snake grows.
        set  eats, 0
        bne  next + ROW, food + ROW, @hungry
        bne  next + COLUMN, food + COLUMN, @hungry
        set  eats, 1
        JMP  @ahead
@hungry:
;; The tail leaves a square.
.why dark, "the tail of the snake has left {square}", was = "green"
        erase GREEN, tail
        look across, tail
        ST   tail_turn + ACROSS
        look onward, tail
        ST   tail_turn + ONWARD
        move tail, tail_turn

@ahead:
;; The head moves to the next square.
.why green, "the head of the snake came to {square}, and the tail has not left it yet"
        pause
        look GREEN, next
        ADD  #0xff
        JC   over               ; she bites herself
        note across, turn + ACROSS
        note onward, turn + ONWARD
        copy next + ROW, head + ROW
        copy next + COLUMN, head + COLUMN
        plot GREEN, head
        bz   eats, step

;; Eat: the snake grows.
        store #0, RED, food + ROW   ; the food is gone
        increment length
        bne  length, #64, feed

; ---- The end: she has bitten herself, or the display is full. Any button starts a new game.

;; The game is over. Any button starts a new one.
.why red, "the snake was on {square} when the game ended"
.why dark, "the snake was not on {square} when the game ended"
over:   print_decimal length
        set  MAILBOX, '\n'
.repeat 8, r
        copy GREEN + r, RED + r
        set  GREEN + r, 0
.endrepeat
        forget_buttons
@wait:  listen
        LD   silent
        ADD  #1
        JC   @wait
        JMP  game
