; One LED
        LDI  0
        ST   0x1fe0
        HALT
