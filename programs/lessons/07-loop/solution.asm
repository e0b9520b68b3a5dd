; Lesson 7: count on the top row, for ever.

.include "lib/panel.asm"

.pool
        clear_leds
        LDI  0
count:  ST   GREEN
        ADD  #1
        JMP  count
