; Lesson 3: draw a frame around the panel.

.include "lib/panel.asm"

        LDI  0b11111111
        ST   GREEN
        ST   GREEN + 7
        LDI  0b10000001
        ST   GREEN + 1
        ST   GREEN + 2
        ST   GREEN + 3
        ST   GREEN + 4
        ST   GREEN + 5
        ST   GREEN + 6
        HALT
