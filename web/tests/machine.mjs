// Checks that every built-in program does the same in WebAssembly as natively: the same output, and
// the same LEDs at random moments, on the instruction engine and on the chip engine.
//
// node machine.mjs MODULE.wasm < what web/examples/witness.rs prints

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, input, ask, output, advance } = instance.exports;

function answer(...request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const at = input(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const length = ask();
  const text = new TextDecoder().decode(new Uint8Array(memory.buffer, output(), length));
  const read = JSON.parse(text);
  assert.equal(read?.error, undefined);
  return read;
}

let runs = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { program, engine, end, output: printed, seen } = JSON.parse(line);
  const run = `${program} on ${engine}`;
  const started = performance.now();
  answer("start", program, { engine }, false);
  answer("runTo", end);
  do while (advance(0)); while (answer("state").status === "searching");
  assert.equal(answer("state").now, end, run);
  const lines = printed.split("\n");
  const open = lines.pop();
  // Bytes that are not text are displayed differently.
  if (!/[^\n -~]/.test(printed)) {
    const shown = answer("output");
    const expected = open === "" ? lines : [...lines, open];
    assert.deepEqual(shown, expected.slice(-shown.length), run);
    assert(shown.length >= Math.min(expected.length, 600), run);
  }
  // Jump back and forth: take every other moment from the end.
  const order = seen.map((_, n) => seen[n % 2 ? seen.length - n : n]);
  for (const { moment, lines: count, green, red } of order) {
    answer("seek", moment);
    const { now, lines, leds } = answer("state");
    const expected = { now: moment, lines: count, leds: { green, red } };
    assert.deepEqual({ now, lines, leds }, expected, run);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`ok  ${run}: ${end} instructions, ${order.length} moments, ${seconds} s`);
  runs++;
}
assert(runs > 20, "programs are missing");
