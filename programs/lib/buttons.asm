; The panel's buttons. The panel writes into one byte which buttons are held, but a program wants to
; know which were pressed. So it polls them as often as it can, and checks them when it needs to.

.include "panel.asm"
.include "std.asm"

BUTTON_UP    = 1 << 0
BUTTON_DOWN  = 1 << 1
BUTTON_LEFT  = 1 << 2
BUTTON_RIGHT = 1 << 3
BUTTON_A     = 1 << 4
BUTTON_B     = 1 << 5
BUTTON_START = 1 << 7           ; 1 << 6, select, is not needed yet

.var held                       ;; the buttons at the last poll
.var silent                     ;; all except those pressed since the last check

;; Forgets all presses. Buttons that are held now count as held before. 4 instructions; C stays.
.macro forget_buttons
        set  silent, 0xff
        copy BUTTONS, held
.endmacro

;; Polls: records the buttons that are held now and were not at the last poll. 10 instructions; C
;; stays.
.macro listen
  .var @now
        copy BUTTONS, @now
        not  held
        NAND @now               ; all except those just pressed
        NAND silent
        NAND #0xff
        ST   silent
        copy @now, held
.endmacro

;; Goes to target unless the button was pressed, and forgets that press. 5 instructions, 7 if it was
;; pressed. A and C are lost.
.macro unless_pressed button, target
        LDI  button
        NAND silent
        ADD  #1                 ; a carry only if A was FF: the bit is missing
        JC   @pressed
        JMP  target
@pressed:
        LD   silent
        ADD  #button
        ST   silent
.endmacro
