; Lesson 19: show the buttons that are held on the top row.

.include "lib/panel.asm"

        clear_leds
        LD   BUTTONS
        ST   GREEN
        HALT
