; Lesson 22: a dot that bounces between the two sides.

.include "lib/panel.asm"
.include "lib/std.asm"

DOT     = RED + 3

.pool
        clear_leds
        set  DOT, 1
right:  double DOT
        ST   DOT
        ADD  #-0x80             ; has it come to the last column?
        JC   left
        JMP  right
left:   halve DOT
        ST   DOT
        ADD  #-2                ; or to the first one?
        JC   left
        JMP  right
