;;; `.org` sets the index of the next instruction, and skipped words stay erased.
        SHR             ; = a000
.ORG 0x100
here:   JMP here        ; = e180
.org 8191
        JMP $           ; = f000

;;; The value of `.org` must be in range and defined above.
.org -1                 ; error: an index must be 0 to 8191, not -1
.org 8192               ; error: an index must be 0 to 8191, not 8192
.org later              ; error: `later` is not known yet: an index can use only what is defined above ; note: it is defined here @4
later = 5
.org nowhere            ; error: undefined symbol `nowhere`

;;; The value of `.ram` must be in range and defined above.
.ram -1                 ; error: a data address must be 0 to 8191, not -1
.ram 8192               ; error: a data address must be 0 to 8191, not 8192
.ram later              ; error: `later` is not known yet: a data address can use only what is defined above ; note: it is defined here @4
later = 5

;;; The size of a variable must be in range and defined above.
.var a, -1              ; error: the size of a variable must be 0 to 8192, not -1
.var b, 8193            ; error: the size of a variable must be 0 to 8192, not 8193
.var c, later           ; error: `later` is not known yet: the size of a variable can use only what is defined above ; note: it is defined here @4
later = 5
        LD a
        LD b
        LD c

;;; A variable cannot overlap the panel's memory.
.ram 0x1fdf
.var last
.var beyond             ; error: variable `beyond` would take 0x1fe0 to 0x1fe0, but the panel's memory starts at 0x1fe0
.ram 0x1fd8
.var table, 9           ; error: variable `table` would take 0x1fd8 to 0x1fe0, but the panel's memory starts at 0x1fe0
        ST last
        ST beyond
        ST table

;;; A variable can fill all data memory below the panel.
.var all, 0x1fe0
        ST all + 0x1fdf ; = 5fdf

;;; Two instructions at one index are an error.
        SHR
        SHR
.org 0
        LDI 1           ; error: two instructions at index 0x0000 ; note: the first one is here @1
        LDI 2
.org 1
        .word 5         ; error: two instructions at index 0x0001 ; note: the first one is here @2

;;; An instruction after index 8191 is an error, but a label there is not.
.org 8190
        SHR
end:    SHR
behind:
        .assert behind == 8192
        SHR             ; error: program memory is full: it holds 8192 instructions
        SHR

;;; An assertion can use names that are defined further down.
        .assert later == 5
        .assert later == 6              ; error: assertion failed
        .assert later < 3, "too \"big\""        ; error: assertion failed: too "big"
        .assert nowhere                 ; error: undefined symbol `nowhere`
later = 5

;;; `.error` reports an error unless it is in a skipped branch.
.error "this needs \n care"     ; error: this needs \n care
.if 0
.error "not here"
.endif

;;; A program can have only one title.
.title "Eight queens"
.title "Nine queens"    ; error: the program already has a title ; note: it is given here @1

;;; A program can have only one `.result`.
.result "solution"
.result "game"          ; error: the program already has a word for its results ; note: it is given here @1

;;; Directives can be written in upper or lower case.
.IF 1
.Word 5                 ; = 0005
.ELSE
.Error "no"
.EndIf

;;; The error for an unknown directive suggests what may have been meant.
.orgg 5                 ; error: unknown directive `.orgg` ; help: did you mean `.org`?
.ednif                  ; error: unknown directive `.ednif` ; help: did you mean `.endif`?
.data 1, 2              ; error: unknown directive `.data` ; help: there are no sections: instructions go to program memory, every `.var` to data memory
.                       ; error: unknown directive `.`

;;; `.default` defines a constant that the whole program can use.
.default SIZE = 2 * HALF
        LDI SIZE        ; = 0006
HALF = 3
.macro define_more
  .default MORE = SIZE + 1
.endmacro
        define_more
        LDI MORE        ; = 0007

;;; `.default` needs a global name that is not defined elsewhere, and a value.
.default @local = 1     ; error: expected a name, found `@local` ; help: its form is `.default NAME = value`
.default add = 1        ; error: `add` is reserved: it is the name of an instruction
.default NONE           ; error: expected `=`, found the end of the line ; help: its form is `.default NAME = value`
.default row{1} = 1     ; error: expected `=`, found `{` ; help: its form is `.default NAME = value`
.default TWICE = 1
TWICE = 2               ; error: constant `TWICE` is defined twice ; note: `TWICE` is first defined here @5
.routine r()
  .default INNER = 1    ; error: `.default` in a routine: it defines a constant for the whole program
        LDI INNER
.endroutine
        .call r()
        LDI INNER
        LDI NONE
