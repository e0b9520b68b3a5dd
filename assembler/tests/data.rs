//! What the assembler says of data memory: what lies where, and how much is taken.

mod support;

use support::assembled;

#[test]
fn everything_in_data_memory_is_listed_once() {
    let text = "
.pool
.var score
.var table, 8
.var nothing, 0
        ADD  #5
        ADD  #6
        .call twice(#5)
        .call twice(#7)
        .call once(#8)
        HALT
.routine twice(n) -> sum
.var rest, 2
        LD   n
.endroutine
.routine once(m)
        LD   m
.endroutine
.routine never(k)
        LD   k
.endroutine
";
    let expected = "\
0000       #0x05
0001       #0x06
0002       score
0003-000a  table
000b       once: m
000b       twice: n
000c       twice: sum
000d-000e  twice: rest
000f       twice: the number of its call
16 of 8160 bytes; 17 if none were shared
";
    assert_eq!(assembled(text).data.to_string(), expected);
}

#[test]
fn routines_that_call_each_other_have_bytes_of_their_own() {
    let text = "
        .call outer()
        .call outer()
        HALT
.routine outer()
.var a
        .call inner()
        .call inner()
.endroutine
.routine inner()
.var b
        ST   b
.endroutine
";
    let expected = "\
0000       outer: a
0001       outer: the number of its call
0002       inner: b
0003       inner: the number of its call
4 of 8160 bytes; 4 if none were shared
";
    assert_eq!(assembled(text).data.to_string(), expected);
    let image = assembled(text).image.unwrap();
    let mut names: Vec<(i64, &str)> =
        image.symbols().iter().map(|symbol| (symbol.value, symbol.name.as_str())).collect();
    names.retain(|(_, name)| name.contains('.'));
    names.sort_unstable();
    assert_eq!(names, [(0, "outer.a"), (2, "inner.b")]);
}

#[test]
fn the_constants_of_the_pool_are_symbols_of_the_image() {
    let image = assembled(".ram 9\n.pool\n ADD #5\n ADD #255\n HALT\n").image.unwrap();
    let symbols: Vec<_> = image.symbols().iter().map(|it| (it.name.as_str(), it.value)).collect();
    assert_eq!(symbols, [("#0x05", 9), ("#0xff", 10)]);
    assert!(assembled("x\n").data.items.is_empty());
}
