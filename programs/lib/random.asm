; Random numbers: a shift register of three bytes. At each step a byte x falls out, y moves up
; behind it, and the new byte is x rotated by a place, exclusive-or y shifted up, exclusive-or y
; shifted down. The register goes through all 16,777,215 states but zero before it comes back to the
; first. Bytes that follow each other are related, so a random byte is taken after three steps, when
; the register is all new.
;
; The seed is what `random` holds when the machine wakes up: nobody plants anything there. Only zero
; would stay zero for ever.

.var random, 3

; Makes a seed of what memory holds. At most 11 instructions; A and C are lost.
.macro wake_random
        bnz  random, @awake
        bnz  random + 1, @awake
        bnz  random + 2, @awake
        set  random, 1
@awake:
.endmacro

; A <- a random byte. 87 instructions; C is lost.
.macro next_random
        step_random random, random + 1
        step_random random + 1, random + 2
        step_random random + 2, random
.endmacro

; A step: the new byte takes the place of x, so that nothing has to move. 29 instructions.
.macro step_random x, y
  .var @up
  .var @down
  .var @mixed
        double y
        ST   @up
        halve y
        ST   @down
        xor  @up, @down
        ST   @mixed
        rotate_left x
        ST   x
        xor  x, @mixed
        ST   x
.endmacro
