; Lesson 8: count to 255 and halt.

.include "lib/panel.asm"

.pool
        clear_leds
        LDI  0
count:  ST   GREEN
        ADD  #1
        JMP  count
