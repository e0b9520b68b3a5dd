; Lesson 1: light the LED on the left of the top row.

        LDI  1
        ST   0x1fe0
        HALT
