start:  SHR
        LDI 1
start:  SHR
.org 1
        LDI 2
.org end
end:
.title "one"
.title "two"
