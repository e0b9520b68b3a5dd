; The panel's buttons. The panel writes into one byte which of them are held; what a program wants
; to know is which of them were pressed. So it listens, as often as it can, and asks when it likes.

BUTTON_UP    = 1 << 0
BUTTON_DOWN  = 1 << 1
BUTTON_LEFT  = 1 << 2
BUTTON_RIGHT = 1 << 3
BUTTON_A     = 1 << 4
BUTTON_B     = 1 << 5
BUTTON_START = 1 << 7           ; 1 << 6, select, nobody has asked for yet

.var held                       ; the buttons when we listened last
.var silent                     ; all but those that were pressed since somebody asked

; Forgets what was pressed. Who is held now counts as held before. 4 instructions; C stays.
.macro forget_buttons
        set  silent, 0xff
        copy BUTTONS, held
.endmacro

; Takes note of the buttons that are held and were not when we listened last. 10 instructions; C
; stays.
.macro listen
  .var @now
        copy BUTTONS, @now
        not  held
        NAND @now               ; all but those that were just pressed
        NAND silent
        NAND ff
        ST   silent
        copy @now, held
.endmacro

; Goes to target unless the button was pressed; if it was, that is settled now. 5 instructions, or
; 7 if it was pressed; it needs its constant. A and C are lost.
.macro unless_pressed button, target
        LDI  button
        NAND silent
        ADD  one                ; a carry only if A was FF: the bit is missing
        JC   @pressed
        JMP  target
@pressed:
        LD   silent
        ADD  number + button
        ST   silent
.endmacro
