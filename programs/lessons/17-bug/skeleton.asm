; Lesson 17: find the line that spoils the bar, and mend it.

.include "lib/panel.asm"
.include "lib/std.asm"

.var dots, 4                    ; what the four rows at the top show
.var bar                        ; and the two in the middle

        clear_leds
        set  bar, 0b01111110

.repeat 5, n                    ; no dots yet
        set  dots + n, 0
.endrepeat
        set  dots + 1, 0b10000001

.repeat 4, n
        copy dots + n, GREEN + n
.endrepeat
        copy bar, RED + 3
        copy bar, RED + 4
        HALT
