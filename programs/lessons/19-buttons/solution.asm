; Lesson 19: show the buttons that are held on the top row.

.include "lib/panel.asm"

        clear_leds
show:   LD   BUTTONS
        ST   GREEN
        JMP  show
