//! Tests of the data map: which items are at which address, and how many bytes are occupied.

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
000b       twice: n
000c       twice: sum
000d       twice: the number of its call
000e-000f  twice: rest
0010       once: m
17 of 8160 bytes
";
    let assembly = assembled(text);
    assert_eq!(assembly.data.to_string(), expected);
    let image = assembly.image.unwrap();
    let mut names: Vec<(i64, &str)> =
        image.symbols().iter().map(|symbol| (symbol.value, symbol.name.as_str())).collect();
    names.retain(|(_, name)| name.contains('.'));
    names.sort_unstable();
    let of_routines = ["twice.n", "twice.sum", "twice.rest", "once.m"];
    assert_eq!(names, [11, 12, 14, 16].into_iter().zip(of_routines).collect::<Vec<_>>());
}

#[test]
fn overlapping_bytes_are_counted_once() {
    let map = assembled(".var a, 4\n.ram 2\n.var b, 4\n HALT\n").data;
    assert_eq!(map.to_string(), "0000-0003  a\n0002-0005  b\n6 of 8160 bytes\n");
}

#[test]
fn the_constants_of_the_pool_are_symbols_of_the_image() {
    let image = assembled(".ram 9\n.pool\n ADD #5\n ADD #255\n HALT\n").image.unwrap();
    let symbols: Vec<_> = image.symbols().iter().map(|it| (it.name.as_str(), it.value)).collect();
    assert_eq!(symbols, [("#0x05", 9), ("#0xff", 10)]);
    assert!(assembled("x\n").data.items.is_empty());
}
