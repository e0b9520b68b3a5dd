; The addresses of the front panel in data memory. The panel shows the bytes of the LEDs at all
; times, so a program lights LEDs by storing a byte.

GREEN   = 0x1fe0                ;; The green LEDs: 8 bytes, the top row first. Bit 0 is on the left.
RED     = 0x1fe8                ;; The red LEDs, in the same order.
BUTTONS = 0x1ffe                ;; The buttons that are held. lib/buttons.asm names the bits.
MAILBOX = 0x1fff                ;; The panel prints every byte that is stored here.

;; Turns all LEDs off. 17 instructions; keeps C, and A is 0 afterwards.
.macro clear_leds
        LDI  0
  .repeat 8, row
        ST   GREEN + row
        ST   RED + row
  .endrepeat
.endmacro
