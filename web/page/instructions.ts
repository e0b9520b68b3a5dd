// The list of the eight instructions beside the editor. A click on one inserts it.

import { byId, make } from "./dom";
import type { Store } from "./store";

/** The eight instructions: an example, and what it does. */
const INSTRUCTIONS = [
  ["LDI  n", "A becomes the number n"], ["LD   a", "A becomes the byte at a"],
  ["ST   a", "the byte at a becomes A"], ["ADD  a", "A becomes A + the byte at a, C the carry"],
  ["NAND a", "A becomes not (A and the byte at a)"], ["SHR", "A becomes A / 2, C the remainder"],
  ["JC   t", "goes on at t if C is 1"], ["JMP  t", "goes on at t"],
];

/** Fills the list, and opens it where there is room unless the user has folded it. */
export function listInstructions(store: Store, insert: (line: string) => void): void {
  const list = byId<HTMLDetailsElement>("instructions");
  const hasRoom = matchMedia("(min-width: 1280px) and (min-height: 560px)").matches;
  list.open = hasRoom && store.get("instructions") !== "folded";
  list.firstElementChild?.addEventListener("click", () =>
    store.set("instructions", list.open ? "folded" : ""));
  list.lastElementChild?.append(...INSTRUCTIONS.map(([example = "", does = ""]) => {
    const onclick = () => insert(`        ${example}`);
    const code = make("code", {}, example);
    return make("li", {}, make("button", { title: "Insert it", onclick }, code, does));
  }));
}
