;;; `.org` goes to an index; what is between stays erased.
        SHR             ; = a000
.ORG 0x100
here:   JMP here        ; = e180
.org 8191
        JMP $           ; = f000

;;; `.org` has a range, and needs to be known.
.org -1                 ; error: an index must be 0 to 8191, not -1
.org 8192               ; error: an index must be 0 to 8191, not 8192
.org later              ; error: `later` is not known yet: an index can use only what is defined above ; note: it is defined here @4
later = 5
.org nowhere            ; error: undefined symbol `nowhere`

;;; `.ram` has a range, and needs to be known.
.ram -1                 ; error: a data address must be 0 to 8191, not -1
.ram 8192               ; error: a data address must be 0 to 8191, not 8192
.ram later              ; error: `later` is not known yet: a data address can use only what is defined above ; note: it is defined here @4
later = 5

;;; Sizes have a range, and need to be known.
.var a, -1              ; error: the size of a variable must be 0 to 8192, not -1
.var b, 8193            ; error: the size of a variable must be 0 to 8192, not 8193
.var c, later           ; error: `later` is not known yet: the size of a variable can use only what is defined above ; note: it is defined here @4
later = 5
        LD a
        LD b
        LD c

;;; Variables stop where the panel's memory starts.
.ram 0x1fdf
.var last
.var beyond             ; error: variable `beyond` would take 0x1fe0 to 0x1fe0, but the panel's memory starts at 0x1fe0
.ram 0x1fd8
.var table, 9           ; error: variable `table` would take 0x1fd8 to 0x1fe0, but the panel's memory starts at 0x1fe0
        ST last
        ST beyond
        ST table

;;; The largest variable there is.
.var all, 0x1fe0
        ST all + 0x1fdf ; = 5fdf

;;; Two instructions at one index.
        SHR
        SHR
.org 0
        LDI 1           ; error: two instructions at index 0x0000 ; note: the first one is here @1
        LDI 2
.org 1
        .word 5         ; error: two instructions at index 0x0001 ; note: the first one is here @2

;;; Program memory holds 8192 instructions.
.org 8190
        SHR
end:    SHR
behind:
        .assert behind == 8192
        SHR             ; error: program memory is full: it holds 8192 instructions
        SHR

;;; Assertions, which may look forward.
        .assert later == 5
        .assert later == 6              ; error: assertion failed
        .assert later < 3, "too \"big\""        ; error: assertion failed: too "big"
        .assert nowhere                 ; error: undefined symbol `nowhere`
later = 5

;;; What the program says is an error is one.
.error "this needs \n care"     ; error: this needs \n care
.if 0
.error "not here"
.endif

;;; One title.
.title "Eight queens"
.title "Nine queens"    ; error: the program already has a title ; note: it is given here @1

;;; Printed lines have one name.
.result "solution"
.result "game"          ; error: the program already has a word for its results ; note: it is given here @1

;;; Directives in either case.
.IF 1
.Word 5                 ; = 0005
.ELSE
.Error "no"
.EndIf

;;; Unknown directives, with suggestions.
.orgg 5                 ; error: unknown directive `.orgg` ; help: did you mean `.org`?
.ednif                  ; error: unknown directive `.ednif` ; help: did you mean `.endif`?
.data 1, 2              ; error: unknown directive `.data` ; help: there are no sections: instructions go to program memory, every `.var` to data memory
.                       ; error: unknown directive `.`

;;; `.default` defines a constant of the whole program.
.default SIZE = 2 * HALF
        LDI SIZE        ; = 0006
HALF = 3
.macro define_more
  .default MORE = SIZE + 1
.endmacro
        define_more
        LDI MORE        ; = 0007

;;; It is not for names that only some lines see, and defines no name twice.
.default @local = 1     ; error: expected a name, found `@local`
.default add = 1        ; error: `add` is reserved: it is the name of an instruction
.default NONE           ; error: expected `=`, found the end of the line
.default row{1} = 1     ; error: expected `=`, found `{`
.default TWICE = 1
TWICE = 2               ; error: constant `TWICE` is defined twice ; note: `TWICE` is first defined here @5
.routine r()
  .default INNER = 1    ; error: `.default` in a routine: it defines a constant for the whole program
        LDI INNER
.endroutine
        .call r()
        LDI INNER
        LDI NONE
