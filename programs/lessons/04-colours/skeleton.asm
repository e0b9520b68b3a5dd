; Lesson 4: a traffic light.

.include "lib/panel.asm"

        clear_leds              ; at power-up any of them may be lit
        LDI  0b00011000
        ST   RED + 1
        HALT
