; Lesson 1: light the LED on the left of the top row.

        LDI  0
        ST   0x1fe0
        HALT
