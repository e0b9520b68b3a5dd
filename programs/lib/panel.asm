; The front panel's part of data memory. The panel reads it through the second port of the memory
; chip, so a program lights LEDs by storing a byte.

GREEN   = 0x1fe0                ;; 8 bytes of green LEDs, row 0 first; bit 0 is the leftmost column
RED     = 0x1fe8                ;; 8 bytes of red LEDs, laid out the same way
BUTTONS = 0x1ffe                ;; the panel writes here which buttons are held
MAILBOX = 0x1fff                ;; the panel prints every byte that is stored here

;; Turns all LEDs off. 17 instructions; A is 0 afterwards, C stays.
.macro clear_leds
        LDI  0
  .repeat 8, row
        ST   GREEN + row
        ST   RED + row
  .endrepeat
.endmacro
