// The user's files: programs, tests, boards and their contents, dropped, made or downloaded.

import { make } from "./dom";
import { type Machine, Refusal } from "./machine";
import { type Stored, save } from "./store";

/** Larger files are not taken in: people did not write them. */
const BYTES_MAX = 1 << 20;
/** More files are not a course, nor a program. */
const FILES_MAX = 2000;

const FIRST = `.title "Diagonal"
.include "lib/panel.asm"        ; GREEN, RED, BUTTONS, MAILBOX

.var square                     ; a byte of data memory

        LDI  1
.repeat 8, row                  ; eight times, with row = 0 to 7
        ST   RED + row          ; bit 0 is the leftmost LED of a row
        ST   square
        ADD  square             ; twice the bit: one column to the right
.endrepeat
        LDI  '!'
        ST   MAILBOX            ; the panel prints it
        HALT
`;
const TESTS = `Tests(
    version: 1,
    cases: [
        (name: "it ends", limit: 100_000, steps: [Halts]),
    ],
)
`;

export const isTests = (name: string) => name.endsWith(".test.ron");
export const isBoard = (name: string) => name.endsWith(".ron") && !isTests(name);
export const isSource = (name: string) => !name.endsWith(".ron");
const isText = (name: string) => /\.(asm|ron|md|txt|inc)$/i.test(name);

export class Files {
  constructor(private readonly machine: Machine, private readonly stored: Stored) {
    const { sources, contents } = stored;
    if (Object.keys(sources).length === 0) sources["diagonal.asm"] = FIRST;
    for (const [name, text] of Object.entries(sources)) machine.keep(name, text);
    for (const [name, base64] of Object.entries(contents)) machine.keepContents(name, base64);
  }

  /** The names of the user's own files. */
  get own(): string[] {
    return Object.keys(this.stored.sources).sort();
  }

  has(name: string): boolean {
    return Object.hasOwn(this.stored.sources, name);
  }

  text(name: string): string | undefined {
    return this.has(name) ? this.stored.sources[name] : undefined;
  }

  /** Keeps a text; false if this browser does not keep it. */
  put(name: string, text: string): boolean {
    this.stored.sources[name] = text;
    this.machine.keep(name, text);
    return save(this.stored);
  }

  delete(name: string): void {
    delete this.stored.sources[name];
    this.machine.forget(name);
    save(this.stored);
  }

  /** Whether the page has this text under this name, its own or a built-in one. */
  knows(name: string, text: string): boolean {
    if (this.has(name)) return this.text(name) === text;
    const isBuiltIn = this.machine.ask("programs").some((program) => program.name === name);
    return isBuiltIn && this.machine.ask("source", { name }) === text;
  }

  /** A name like this one that is not taken. */
  free(name: string): string {
    const [, stem = name, suffix = ""] = name.match(/^(.*?)((?:\.test)?\.\w+)$/) ?? [];
    let free = name;
    for (let n = 2; this.has(free); n++) free = `${stem}-${n}${suffix}`;
    return free;
  }

  /** Makes a file of a kind, beside the one that is open; its name. */
  make(kind: string, open: string): string {
    if (kind === "tests") {
      const name = open.replace(/(\.test\.ron|\.asm)?$/, ".test.ron");
      if (!this.has(name)) this.put(name, TESTS);
      return name;
    }
    const name = this.free(kind === "board" ? "mine.ron" : "mine.asm");
    const board = () => this.machine.ask("source", { name: "gray1" });
    this.put(name, kind === "board" ? board() : `.title "${name}"\n\n        HALT\n`);
    return name;
  }

  /** The user's own file of this name; of a built-in one, a copy that nothing else changes with. */
  copy(name: string): string {
    if (this.has(name)) return name;
    const suffix = this.machine.ask("boards").includes(name) ? ".ron" : ".asm";
    const file = name.replace(/^.*\//, "").replace(/(\.asm)?$/, suffix);
    if (!this.has(file)) this.put(file, this.machine.ask("source", { name }));
    return file;
  }

  /** Takes a file in that was dropped; what is no text is the contents of a chip. */
  async take(file: File): Promise<void> {
    if (file.size > BYTES_MAX) throw new Refusal(`${file.name} is too large`);
    if (isText(file.name)) {
      this.put(file.name, await textOf(file));
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    this.stored.contents[file.name] = base64;
    this.machine.keepContents(file.name, base64);
    save(this.stored);
  }

  /** Saves a file, or the EPROM of a program as an Intel HEX file. */
  download(name: string, text: string, what: string): void {
    const isWhole = what === "source";
    const content = isWhole ? text : this.machine.ask("eprom", { name });
    const url = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
    const file = name.replace(/^.*\//, "");
    make("a", { href: url, download: isWhole ? file : file.replace(/(\.asm)?$/, ".hex") }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}

/** The text of a file, with the line ends that the assembler knows. */
async function textOf(file: File): Promise<string> {
  return (await file.text()).replace(/\r\n?/g, "\n");
}

/** The texts in a folder that was dropped, by their paths in it. */
export async function textsIn(folder: FileSystemDirectoryEntry): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  const waiting = [folder];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const reader = next.createReader();
    const read = () => new Promise<FileSystemEntry[]>((good, bad) => reader.readEntries(good, bad));
    for (let some = await read(); some.length > 0; some = await read()) {
      for (const entry of some) {
        if (entry.isDirectory) waiting.push(entry as FileSystemDirectoryEntry);
        else if (isText(entry.name)) await add(entry as FileSystemFileEntry);
      }
    }
  }
  return texts;

  async function add(entry: FileSystemFileEntry): Promise<void> {
    const file = await new Promise<File>((good, bad) => entry.file(good, bad));
    const path = entry.fullPath.slice(folder.fullPath.length + 1);
    const count = Object.keys(texts).length;
    if (file.size > BYTES_MAX) throw new Refusal(`${path} is too large`);
    if (count >= FILES_MAX) throw new Refusal(`${folder.name} has more than ${FILES_MAX} files`);
    texts[path] = await textOf(file);
  }
}
