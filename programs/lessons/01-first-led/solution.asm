; One LED
        LDI  1
        ST   0x1fe0
        HALT
