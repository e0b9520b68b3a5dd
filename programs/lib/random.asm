; Random numbers from a shift register of three bytes. Each step shifts out a byte x, and y takes
; its place. The new byte is x rotated by one bit, exclusive-or y shifted up, exclusive-or y shifted
; down. The register goes through all 16,777,215 states except zero before it repeats. Consecutive
; bytes are related, so `next_random` takes three steps, which replace the whole register.
;
; The seed is the contents of `random` at power-up. Zero would stay zero for ever, so `wake_random`
; replaces it.

.include "std.asm"

.seed random, 3

;; Makes a seed from the contents of memory. At most 11 instructions; A and C are lost.
.macro wake_random
        bnz  random, @awake
        bnz  random + 1, @awake
        bnz  random + 2, @awake
        set  random, 1
@awake:
.endmacro

;; A <- a random byte. 81 instructions; C is lost.
.macro next_random
        step_random random, random + 1
        step_random random + 1, random + 2
        step_random random + 2, random
.endmacro

;; One step. The new byte replaces x, so that no byte moves. 27 instructions.
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
