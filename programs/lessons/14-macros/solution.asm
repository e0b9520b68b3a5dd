; Lesson 14: define the macro `put`, above its first use.

.include "lib/panel.asm"

.macro put bits, place
        LDI  bits
        ST   place
.endmacro

        clear_leds
        put  0b01100110, RED + 1
        put  0b11111111, RED + 2
        put  0b11111111, RED + 3
        put  0b01111110, RED + 4
        put  0b00111100, RED + 5
        put  0b00011000, RED + 6
        HALT
