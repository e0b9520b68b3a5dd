; The Fibonacci numbers that fit into a byte, printed in decimal and shown in red, one below the
; other.

.title "Fibonacci numbers, printed"
.include "lib/panel.asm"
.include "lib/std.asm"

.var this                       ; the current number
.var next                       ; the one after it
.var sum
.var rest                       ; the part that is still to be printed
.var digit

.show this, "number"
.legend red, "1"
.legend dark, "0"

.pool
;; Start with a dark display.
.why dark, "the display starts dark, and no number in this row has had the {bit} of this LED"
        clear_leds
;;
        set  this, 1
        set  next, 1

; The machine cannot compute an address, so there are eight copies of the code, one for each row;
; the thirteen numbers take two rounds.
turn:
.repeat 8, row
;; Show the number.
  .why red, "this row shows {sum red}, and this LED is the {bit}"
  .why dark, "this row shows {sum red}, and this LED would add {bit}"
        LD   this
        ADD  #-1                ; C = 1 unless the number was 0
        JC   @show
        JMP  done
@show:  copy this, RED + row

;; Print the number in decimal.
; How often do 100 and 10 fit? To subtract, add the complement; the carry is set if the
; number was large enough.
        ST   rest
  .repeat 2, place
    @unit = place == 0 ? 100 : 10
        set  digit, '0'
@again: LDI  -@unit
        ADD  rest
        JC   @fits
        JMP  @print
@fits:  ST   rest
        LD   digit
        ADD  #1
        ST   digit
        JMP  @again
@print: copy digit, MAILBOX
  .endrepeat
        LDI  '0'
        ADD  rest
        ST   MAILBOX
        set  MAILBOX, '\n'

;; The next number is the sum of the last two.
        LD   this
        ADD  next
        ST   sum
        JC   @last              ; too large for a byte: a 0 in its place ends the program
        JMP  @next
@last:  set  sum, 0
@next:  copy next, this
        copy sum, next
.endrepeat
        JMP  turn

done:   HALT
