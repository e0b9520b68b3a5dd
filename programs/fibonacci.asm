; The Fibonacci numbers that fit a byte, printed in decimal and shown in red, one below the other.

.title "Fibonacci numbers, printed"
.include "lib/panel.asm"
.include "lib/std.asm"

.var this                       ; the number under way
.var next                       ; the one after it
.var sum
.var rest                       ; what is left to print
.var digit
.var one
.var minus1

        set  one, 1
        set  minus1, -1
        set  this, 1
        set  next, 1

; The machine cannot compute an address, so the eight rows are eight stretches of code; the
; thirteen numbers take two turns.
turn:
.repeat 8, row
        LD   this
        ADD  minus1             ; C = 1 unless the number was 0
        JC   @show
        JMP  done
@show:  copy this, RED + row

; In decimal: how often do 100 and 10 fit? Subtracting is adding the complement; the carry says
; that it fitted.
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
        ADD  one
        ST   digit
        JMP  @again
@print: copy digit, MAILBOX
  .endrepeat
        LDI  '0'
        ADD  rest
        ST   MAILBOX
        set  MAILBOX, '\n'

        LD   this
        ADD  next
        ST   sum
        JC   @last              ; it does not fit a byte: a 0 in its place will end the program
        JMP  @next
@last:  set  sum, 0
@next:  copy next, this
        copy sum, next
.endrepeat
        JMP  turn

done:   HALT
