.macro increment address
.endmacro
counter = 5
        LDU 1
        incremnt 5
        LDI Counter
        increment adress = 5
.endrepaet
        LDI hight(5)
