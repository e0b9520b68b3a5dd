// The user's files: programs, tests, boards and ROM contents. They can be created, renamed and
// downloaded.

import { zipSync } from "fflate";
import { download } from "./dom";
import { lettersOf } from "./leds";
import { type Machine, Refusal, attempt } from "./machine";
import type { Store } from "./store";

/** Larger files are refused, because no person writes such a file. */
export const BYTES_MAX = 1 << 20;
/** The folder of shared files, which came with a link. */
const SHARED = "link/";
/** The number of texts of each file that are remembered by their sums. */
const SUMS = 100;

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
const PANEL = `.include "lib/panel.asm"        ; GREEN, RED, BUTTONS, MAILBOX
.pool                           ; the bytes for #1, #2 and so on

`;
/** New programs, by their kinds. */
const PROGRAMS: Record<string, string> = {
  program: `${PANEL}        LDI  1                  ; one bit
        ST   GREEN + 3          ; the first LED of row 3
        HALT
`,
  loop: `${PANEL}        LDI  0
loop:   ST   GREEN              ; row 0 shows A
        ADD  #1
        JMP  loop
`,
  button: `${PANEL}loop:   LD   BUTTONS            ; a bit for each button that is held
        ST   GREEN              ; row 0 shows them
        JMP  loop
`,
};
/** Returns a test file with one case. */
const tests = (name: string, steps: string) => `Tests(
    version: 1,
    cases: [
        (name: "${name}", steps: [${steps}]),
    ],
)
`;

export const isTests = (name: string) => name.endsWith(".test.ron");
/** Returns the name of the tests of a program. */
export const testsOf = (name: string) => name.replace(/(\.test\.ron|\.asm)?$/, ".test.ron");
export const isBoard = (name: string) => name.endsWith(".ron") && !isTests(name);
export const isSource = (name: string) => !name.endsWith(".ron");
/** Returns true for files that operating systems add to folders. */
export const isJunk = (name: string) => /^(\.|__macosx$|(eh)?thumbs\.db$|desktop\.ini$|icon\r$)/i.test(name);
export const isText = (name: string) => /\.(asm|ron|md|txt|inc)$/i.test(name);

export class Files {
  /** The files from a link, by name. An edited one becomes the user's. */
  private shared = new Map<string, string>();
  /** The new names of edited files from links, by their original names. */
  private readonly adopted = new Map<string, string>();

  constructor(
    private readonly machine: Machine,
    private readonly store: Store,
    /** Returns true if a name is reserved. */
    private readonly isReserved: (name: string) => boolean,
  ) {
    if (this.own.length === 0) this.put("diagonal.asm", FIRST);
    for (const name of this.own) machine.keep(name, this.text(name) ?? "");
    for (const name of store.names("contents")) this.passContents(name);
  }

  /** Passes the contents of a chip to the machine. */
  private passContents(name: string): void {
    attempt(() => this.machine.keepContents(name, this.store.get(`contents/${name}`) ?? ""), () =>
      this.store.setAside(`contents/${name}`, name));
  }

  /** Handles a file that another tab has changed or deleted. Returns its new contents, if any. */
  follow(kind: "source" | "contents", name: string): string | undefined {
    const value = this.store.get(`${kind}/${name}`);
    if (kind === "source") {
      value === undefined ? this.machine.forget(name) : this.machine.keep(name, value);
    } else value === undefined ? this.machine.forgetContents(name) : this.passContents(name);
    return value;
  }

  /** The names of the user's files. */
  get own(): string[] {
    return this.store.names("source");
  }

  has(name: string): boolean {
    return this.text(name) !== undefined;
  }

  text(name: string): string | undefined {
    return this.shared.get(name) ?? this.store.get(`source/${name}`);
  }

  /** Stores a file. Returns false if this browser does not keep it. */
  put(name: string, text: string): boolean {
    this.machine.keep(name, text);
    return this.store.set(`source/${name}`, text);
  }

  /** Deletes a file or the contents of a chip. */
  delete(kind: "source" | "contents", name: string): void {
    this.store.delete(`${kind}/${name}`);
    this.store.delete(`linked/${name}`);
    if (kind === "source") this.machine.forget(name);
    else this.machine.forgetContents(name);
  }

  // ---- Shared files

  /** Remembers that the address of this browser holds the present texts of these files. */
  remember(names: string[]): void {
    for (const name of names) {
      const [text, sums] = [this.store.get(`source/${name}`), this.sums(name)];
      if (text === undefined || sums.at(-1) === sumOf(text)) continue;
      this.store.set(`linked/${name}`, [...sums, sumOf(text)].slice(-SUMS).join(" "));
    }
  }

  private sums(name: string): string[] {
    return this.store.get(`linked/${name}`)?.split(" ") ?? [];
  }

  get sharedNames(): string[] {
    return [...this.shared.keys()].filter(isSource);
  }

  isShared(name: string): boolean {
    return this.shared.has(name);
  }

  /** Adds the files of a link, and removes those of the previous link. */
  addShared(files: string[]): void {
    const names = files.filter((name) => name.startsWith(SHARED));
    if (names.length === 0) return;
    this.adopted.clear();
    this.shared = new Map(names.map((name) => [name, this.machine.ask("source", name)]));
    // An earlier text of one of the user's files does not replace it.
    for (const [name, text] of this.shared) {
      const own = [name.slice(SHARED.length), ...this.own];
      const newer = own.find((it) => this.has(it) && this.sums(it).includes(sumOf(text)));
      if (newer !== undefined) this.adopted.set(name, newer);
    }
  }

  /** Returns the name under which an edited file is stored. A shared file becomes the user's,
   * together with the files that it includes. They get unused names. */
  adopt(name: string): string {
    if (!this.isShared(name)) return name;
    const bare = (shared: string) => shared.slice(SHARED.length).replace(/^(\.*\/)+/, "");
    const [stem = ""] = bare(name).split(".");
    const folder = this.shared.size > 1 ? `${this.unusedFolder(stem)}/` : "";
    for (const [shared, text] of this.shared) {
      const own = this.unusedName(folder + bare(shared));
      this.adopted.set(shared, own);
      this.put(own, text);
      this.remember([own]);
    }
    return this.adoptedAs(name);
  }

  /** Returns the user's file that a shared file has become or is an earlier text of, or the file
   * itself. */
  adoptedAs(name: string): string {
    return this.adopted.get(name) ?? name;
  }

  /** Returns true if another of the user's files includes this one. */
  isIncluded(name: string): boolean {
    const file = name.replace(/^.*\//, "");
    const includes = (text = "") =>
      text.includes(`.include "${file}"`) || text.includes(`/${file}"`);
    return this.own.some((own) => own !== name && includes(this.text(own)));
  }

  private isTaken(name: string): boolean {
    return this.has(name) || this.isReserved(name);
  }

  /** Returns an unused name that is similar to this one. */
  unusedName(name: string): string {
    const [, stem = name, suffix = ""] = name.match(/^(.*?)((?:\.test)?\.\w+)$/) ?? [];
    let free = name;
    for (let n = 2; this.isTaken(free); n++) free = `${stem}-${n}${suffix}`;
    return free;
  }

  private unusedFolder(name: string): string {
    let free = name;
    const isTaken = () => this.own.some((own) => own.startsWith(`${free}/`));
    for (let n = 2; isTaken(); n++) free = `${name}-${n}`;
    return free;
  }

  /** Creates a file of a kind and returns its name. Tests are named after the open file. */
  make(kind: string, open: string): string {
    if (kind === "tests") {
      const name = testsOf(open);
      if (!this.has(name)) this.put(name, this.firstTests(open));
      return name;
    }
    const name = this.unusedName(kind === "board" ? "mine.ron" : "mine.asm");
    const board = () => this.machine.ask("source", "gray1");
    this.put(name, kind === "board" ? board() : `.title "${name}"\n${PROGRAMS[kind] ?? ""}`);
    return name;
  }

  /** Returns tests that expect the LEDs of a program to be as they are now. */
  private firstTests(program: string): string {
    const { leds, status, now } = this.machine.state();
    if (this.machine.program !== program || now === 0) return tests("it ends", "Halts");
    const picture = lettersOf(leds).replace(/^/gm, " ".repeat(12));
    const show = `Leds("\n${picture}\n        ")`;
    return status === "halted" ? tests("the LEDs at the end", `Halts, ${show}`)
      : tests("these LEDs are seen", `RunTo${show}`);
  }

  /** Returns the user's file with this name. For a built-in file, makes a copy first. */
  copy(name: string): string {
    if (this.has(name)) return name;
    const suffix = this.machine.ask("boards").includes(name) ? ".ron" : ".asm";
    const file = name.replace(/^.*\//, "").replace(/(\.asm)?$/, suffix);
    if (!this.has(file)) this.put(file, this.machine.ask("source", name));
    return file;
  }

  /** Renames one of the user's files. Returns its new name. */
  rename(name: string, given: string): string {
    const [suffix = ""] = name.match(/(\.test)?\.\w+$/) ?? [];
    const renamed = given.trim().replace(/^\/+/, "");
    const whole = renamed.endsWith(suffix) ? renamed : renamed + suffix;
    if (whole === suffix || whole.startsWith(SHARED)) throw new Refusal("A file needs a name.");
    if (this.isTaken(whole)) throw new Refusal(`There is a file ${whole} already.`);
    this.put(whole, this.text(name) ?? "");
    this.store.set(`linked/${whole}`, this.store.get(`linked/${name}`) ?? "");
    this.delete("source", name);
    return whole;
  }

  /** Downloads all of the user's files, and the contents of chips, as one archive. */
  downloadAll(): void {
    const texts = this.own.map((name) => [name, new TextEncoder().encode(this.text(name))] as const);
    const contents = this.store.names("contents").map((name) => {
      const bytes = atob(this.store.get(`contents/${name}`) ?? "");
      return [name, Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))] as const;
    });
    const archive = zipSync(Object.fromEntries([...texts, ...contents])).slice();
    download(new File([archive], "gray1.zip", { type: "application/zip" }));
  }

  /** Adds one file, and returns its name. A file that is not text becomes the contents of a chip.
   * If the name is already used, the old file gets another one. */
  add(name: string, bytes: Uint8Array): string {
    let isKept = false;
    if (isText(name)) {
      const [before, text] = [this.text(name), textOf(bytes, name)];
      if (before !== undefined && before !== text) this.put(this.unusedName(name), before);
      isKept = this.put(name, text);
    } else {
      const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      this.machine.keepContents(name, base64);
      isKept = this.store.set(`contents/${name}`, base64);
    }
    if (!isKept) throw new Refusal(`This browser has no room for ${name}; a reload loses it.`);
    return name;
  }

  /** Adds the files of a folder to a new folder of the user's. Returns their names. */
  addFolder(folder: string, texts: Record<string, string>): string[] {
    const own = this.unusedFolder(folder);
    return Object.entries(texts).map(([path, text]) => {
      this.put(`${own}/${path}`, text);
      return `${own}/${path}`;
    });
  }

  /** Downloads a file, or the EPROM of a program as an Intel HEX file. */
  download(name: string, text: string, what: string): void {
    const isWhole = what === "source";
    const content = isWhole ? text : this.machine.ask("eprom", name);
    const file = name.replace(/^.*\//, "");
    const saved = isWhole ? file : file.replace(/(\.asm)?$/, ".hex");
    download(new File([content], saved, { type: "text/plain" }));
  }
}

/** Returns a short sum of a text (FNV-1a). */
function sumOf(text: string): string {
  let sum = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) sum = Math.imul(sum ^ text.charCodeAt(n), 0x01000193);
  return (sum >>> 0).toString(36);
}

/** Returns a text, with normalised line ends. */
export function textOf(bytes: Uint8Array, path: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.replace(/\r\n?/g, "\n");
  } catch {
    throw new Refusal(`${path} is no text in UTF-8: save it as UTF-8`);
  }
}
