; Lesson 22: a program of my own.

.include "lib/panel.asm"

        clear_leds
        HALT
