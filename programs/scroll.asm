; A text that scrolls over the LEDs from right to left, for ever.
;
; The machine never sees a letter. The assembler makes a routine for each character of the text,
; which knows its columns of LEDs, and the text becomes a list of calls. One routine moves the LEDs.
; A call takes about 5 instructions, and a new character about 20. So program memory has room for a
; thousand characters.

.title "A text that scrolls over the LEDs"
.include "lib/latin.asm"
.include "lib/panel.asm"
.include "lib/std.asm"

.default MESSAGE = "GRAY-1 A CPU OF MEMORY CHIPS"
.default PAUSE = 16             ; how often to count to 256 after each column

.legend green, "text"
.legend dark, "background"

.var columns, 5                 ; the next columns that scroll in
.var rounds                     ; how often it still has to count

.pool
;; Start with a dark display.
.why dark, "the display starts dark, and no point of the text has come to {square} yet"
        clear_leds

;; Call the routine of the next character.
turn:
.repeat len(MESSAGE), i
  @code = latin_code(char(MESSAGE, i), i + 1 < len(MESSAGE) ? char(MESSAGE, i + 1) : 0)
  .if @code != 0
    .assert is_latin(@code), "lib/latin.asm has no such sign"
        .call show{@code}()
  .endif
.endrepeat
        .call scroll(#8)
        JMP  turn

.allow unused                   ; the characters that the text does not have
.macro character code
  .routine show{code}()
;; Line the columns of the character up, and scroll them in.
    .repeat 5, x
        set  columns + x, latin_column(code, x)
    .endrepeat
        .call scroll(#latin_width(code) + 1)
  .endroutine
.endmacro

.repeat 0x100, code
  .if is_latin(code)
        character code
  .endif
.endrepeat

.routine scroll(rest)
;; Move the text one column to the left, and show the next column.
  .why green, "{square} is a part of a letter, which came in at the right edge"
  .why dark, "the text has no point on {square}; it moves one column to the left at a time"
next:
  .repeat 8, row
        halve columns           ; C is the top of what is left of the column
        ST   columns
        JC   @lit
        halve GREEN + row       ; bit 0 is the leftmost column
        JMP  @done
@lit:   halve GREEN + row
        ADD  #0x80
@done:  ST   GREEN + row
  .endrepeat

; It waits, so that people can read the text.
        set  rounds, PAUSE
@wait:  LDI  0xff
@count: ADD  #-1
        JC   @count
        decrement rounds
        bnz  rounds, @wait

; The next column of the character.
  .repeat 4, x
        copy columns + x + 1, columns + x
  .endrepeat
        set  columns + 4, 0
        decrement rest
        bnz  rest, next
.endroutine
