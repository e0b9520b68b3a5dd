; Lesson 4: a traffic light.

.include "lib/panel.asm"

        LDI  0b00011000
        ST   RED + 1
        HALT
