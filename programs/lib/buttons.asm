; Finds out which buttons were pressed, because the panel only shows which are held. A program calls
; `listen` as often as it can, and `unless_pressed` when it wants to know.

.include "panel.asm"
.include "std.asm"

BUTTON_UP    = 1 << 0           ;; A button's bit, like BUTTON_DOWN, _LEFT, _RIGHT, _A, _B, _START.
BUTTON_DOWN  = 1 << 1
BUTTON_LEFT  = 1 << 2
BUTTON_RIGHT = 1 << 3
BUTTON_A     = 1 << 4
BUTTON_B     = 1 << 5
BUTTON_START = 1 << 7           ; 1 << 6, select, is not needed yet

.var held                       ;; The buttons that were held at the last `listen`.
.var silent                     ;; All buttons except those pressed and not yet checked.

;; Forgets all presses, even of buttons that are still held. 4 instructions; keeps C.
.macro forget_buttons
        set  silent, 0xff
        copy BUTTONS, held
.endmacro

;; Records a press of each button that is held now and was not held at the last `listen`. 10
;; instructions; keeps C.
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

;; Jumps to target unless the button was pressed. If it was, forgets the press and continues. 5
;; instructions, or 7 if it was pressed; A and C are lost.
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
