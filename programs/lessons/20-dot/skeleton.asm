; Lesson 20: let the left button move the dot to the left.

.include "lib/panel.asm"
.include "lib/std.asm"
.include "lib/buttons.asm"

DOT     = GREEN + 4

.pool
        clear_leds
        set  DOT, 0b00010000
        forget_buttons

look:   listen
        unless_pressed BUTTON_RIGHT, look
        rotate_left DOT
        ST   DOT
        JMP  look
