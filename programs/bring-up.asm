; A loop to bring a new board up with: docs/BRING-UP.md says what to measure while it runs, a few
; chips at a time. It never ends.
;
; It needs no display, no memory that keeps a byte and no carry: it runs round with the chips for
; these still missing, and then only A and C have other values. Targets of jumps, data addresses and
; bytes are patterns in which each wire is low and high, and differs from its neighbour. A wrong or
; exchanged wire therefore shows in the first round.
;
; At the end of each round it writes another byte into each row of LEDs and prints the buttons, and
; does both again with every LED the other way. The first round prints in instructions 48 and 82.

.title "A loop to bring a new board up with"
.include "lib/panel.asm"

.ram 0x0aaa
.var cell
.ram 0x1555
.var other

start:  LDI  0x55
        LDI  0xaa
        SHR
        SHR                     ; C = 1
        JC   far
        JMP  far                ; without a carry

.org 0x0ccc
far:    ST   cell
        LDI  0x81
        ADD  cell
        NAND cell
        JMP  farther

.org 0x1999
farther:
        ST   other
        LD   cell
        ADD  other
        JMP  lights

.org 0x0333
lights:
;; Show a pattern, then the same pattern inverted.
.why green, "the pattern that this row shows has green on {square}"
.why red, "the pattern that this row shows has red on {square}"
.why yellow, "the patterns that this row shows have green and red on {square}"
.why dark, "the pattern that this row shows leaves {square} off"
.repeat 2, way                  ; 0: bytes of which no two are equal. 1: the same bytes inverted
  .repeat 8, row
        LDI  (2 * row + 1) * 0x35 & 0xff ^ 0xff * way
        ST   GREEN + row
        LDI  (2 * row + 2) * 0x35 & 0xff ^ 0xff * way
        ST   RED + row
  .endrepeat
        LD   BUTTONS
        ST   MAILBOX
.endrepeat
        JMP  start
