; Lesson 13: add n to the number in low and high.

.allow unwritten                ; the check sets all three

.var low
.var high
.var n

.pool
        LD   low
        ADD  n
        ST   low
        JC   over
        HALT
over:   LD   high
        ADD  #1
        ST   high
        HALT
