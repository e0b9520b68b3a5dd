; Lesson 3: draw a frame around the panel.

.include "lib/panel.asm"

        LDI  0b11111111
        ST   GREEN
        ST   GREEN + 7
        HALT
