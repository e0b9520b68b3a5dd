; Lesson 2: light every other LED of the top row, beginning with the second.

        LDI  0b10101010
        ST   0x1fe0
        HALT
