; Random numbers from a shift register of three bytes. Each step shifts out a byte x, and the next
; byte, y, takes its place. The new byte is the exclusive-or of x rotated up, y shifted up and y
; shifted down, by one bit each. The register goes through all states except zero, 16,777,215 of
; them, before it repeats. `next_random` takes three steps, because consecutive bytes are related.
;
; The seed is whatever `random` contains at power-up. `wake_random` replaces a seed of zero, because
; it would stay zero for ever.

.include "std.asm"

.seed random, 3

;; Prepares the seed, before the first `next_random`. At most 11 instructions; A and C are lost.
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

;; Does one step. The new byte replaces [x], so no byte needs to move. 27 instructions.
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
