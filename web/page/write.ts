// The door "write your own": the editor, running and testing what is in it, the lessons.

import { byId, make, setText } from "./dom";
import { Editor, edited } from "./editor";
import { Files, isBoard, isSource, isTests, textsIn } from "./files";
import { Jobs } from "./jobs";
import { Lessons, fetched } from "./lessons";
import { type Machine, Refusal } from "./machine";
import type { MachineState, Position, TextEdit } from "./protocol";
import { type Folder, load, save } from "./store";

/** The pause in typing after which a changed program runs again, in milliseconds. */
const PAUSE = 600;

export interface Events {
  /** Puts a program into the machine. */
  run(program: string, paused?: boolean): void;
  /** The machine stands at another moment, of another program perhaps. */
  stands(): void;
  /** The files have changed. */
  files(): void;
  say(words: string): void;
}

export class Write {
  private readonly stored = load();
  private readonly files: Files;
  private readonly jobs: Jobs;
  private readonly lessons: Lessons;
  private editor: Editor | undefined;
  /** When the program runs again. */
  private due = Infinity;

  constructor(private readonly machine: Machine, private readonly events: Events) {
    this.files = new Files(machine, this.stored);
    this.jobs = new Jobs(machine, () => events.stands());
    this.lessons = new Lessons(machine, this.stored, this.jobs, (file) => this.show(file));
    const onClick = (id: string, pressed: () => void) => byId(id).addEventListener("click", pressed);
    onClick("run", () => this.run());
    onClick("test", () => this.test());
    onClick("again", () => this.switchAgain(!this.stored.again));
    onClick("format", () => this.format());
    onClick("check", () => this.check());
    this.switchAgain(this.stored.again);
    this.onChoice("new", (kind) => this.show(this.files.make(kind, this.stored.open)));
    this.onChoice("save", (what) => this.save(what));
    byId<HTMLSelectElement>("file").addEventListener("change", (event) =>
      this.show((event.target as HTMLSelectElement).value),
    );
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      void this.refusable(() => this.drop(event));
    });
  }

  /** A select that is a menu: after each choice it shows its title again. */
  private onChoice(id: string, chosen: (value: string) => void): void {
    const select = byId<HTMLSelectElement>(id);
    select.addEventListener("change", () => {
      const { value } = select;
      select.value = "";
      void this.refusable(() => chosen(value));
    });
  }

  /** Does something; a refusal is told. */
  private async refusable(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.events.say(refusal.message);
    }
  }

  // ---- Files

  /** Opens the editor, with what was open the last time. */
  open(name = this.stored.open, line = 0): void {
    this.editor ??= new Editor(byId("editor"), this.machine, {
      edited: (file, text, errors) => this.edited(file, text, errors),
      run: () => this.run(),
      breakAt: (at) => this.breakAt(at),
      show: (file, at) => this.show(file, { at }),
      renamed: (changes) => this.renamed(changes),
      say: (words) => this.events.say(words),
    });
    this.show(name || (this.files.own[0] ?? "diagonal.asm"), { line });
  }

  /** Opens the present lesson. */
  learn(): void {
    this.open(this.lessons.present);
  }

  /** Takes a source in that came with a link, unless the page has it. The user's own of this name
   * stays. */
  adopt(name: string, text: string): void {
    if (this.files.knows(name, text)) return;
    const free = this.files.free(name);
    this.files.put(free, text);
    this.stored.open = free;
    save(this.stored);
  }

  private show(name: string, place: { at?: Position; line?: number } = {}): void {
    const lesson = this.lessons.of(name);
    if (lesson && !this.files.has(name)) this.files.put(name, lesson.skeleton);
    const file = this.files.copy(name);
    this.stored.open = file;
    save(this.stored);
    this.due = Infinity;
    byId("report").replaceChildren();
    this.lessons.show(file);
    this.list();
    setText(byId("door-title"), lesson ? "Lessons" : "Your program");
    byId("format").hidden = !isSource(file);
    byId("run").hidden = byId("again").hidden = isTests(file);
    this.editor?.open(file, this.files.text(file) ?? "", place);
    this.events.files();
  }

  /** Lists what can be opened. */
  private list(): void {
    const { open } = this.stored;
    const option = (value: string, text = value) =>
      make("option", { value, textContent: text, selected: value === open });
    const group = (label: string, options: HTMLOptionElement[]) =>
      make("optgroup", { label }, ...options);
    const own = this.files.own.filter((name) => !this.lessons.of(name));
    const built = this.machine.ask("programs").filter(({ isOwn }) => !isOwn);
    const boards = this.machine.ask("boards").filter((name) => !this.files.has(name));
    const { lessons, title } = this.lessons.course;
    byId("file").replaceChildren(
      group("Yours", own.map((name) => option(name))),
      group(title, lessons.map(({ file, title, score }, n) =>
        option(file, `${score ? "✓ " : ""}${n + 1}. ${title}${score ? ` · ${score}` : ""}`))),
      group("Copy of a built-in program", built.map(({ name, title }) =>
        option(name, `${name} · ${title}`))),
      group("Copy of a built-in board", boards.map((name) => option(name))),
    );
  }

  private edited(name: string, text: string, errors: number): void {
    const isNew = this.files.text(name) !== text;
    const keeps = this.files.put(name, text);
    const problems = errors === 0 ? "No errors" : errors === 1 ? "1 error" : `${errors} errors`;
    setText(byId("problems"), keeps ? problems : `${problems}; this browser keeps nothing`);
    byId("problems").classList.toggle("bad", errors > 0);
    if (isNew) this.due = errors === 0 ? performance.now() + PAUSE : Infinity;
  }

  private renamed(changes: Record<string, TextEdit[]>): void {
    for (const [name, edits] of Object.entries(changes)) {
      this.files.put(name, edited(this.files.text(name) ?? "", edits));
    }
  }

  private async drop(event: DragEvent): Promise<void> {
    const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
    const files = [...(event.dataTransfer?.files ?? [])];
    const folder = entries.find((entry) => entry?.isDirectory);
    if (folder) return this.takeFolder(folder as FileSystemDirectoryEntry);
    for (const file of files) await this.files.take(file);
    const last = files.map(({ name }) => name).filter((name) => this.files.has(name)).pop();
    if (last !== undefined) this.show(last);
    this.events.say(`Taken in: ${files.map(({ name }) => name).join(", ")}`);
  }

  /** Takes a folder in: a course, or programs with their tests and boards. */
  private async takeFolder(folder: FileSystemDirectoryEntry): Promise<void> {
    const files = await textsIn(folder);
    const paths = Object.keys(files);
    const isCourse = paths.some((path) => /(^|\/)(course|lesson)\.ron$/.test(path));
    const ours = paths.filter((path) => /\.(asm|ron)$/.test(path));
    if (isCourse || ours.length === 0) return this.teach({ folder: folder.name, files });
    for (const path of ours) this.files.put(path, files[path] ?? "");
    this.show(ours[0] ?? "");
  }

  // ---- Lessons

  private teach(course: Folder): void {
    this.lessons.adopt(course);
    this.open(this.lessons.present);
    this.events.say(`The lessons are those of ${course.folder} now.`);
  }

  /** Fetches a course from a folder of the same host, and opens it. */
  async fetchCourse(folder: string): Promise<void> {
    await this.refusable(async () => this.teach(await fetched(this.machine, folder)));
  }

  private check(): void {
    if (this.editor) this.lessons.check(this.editor.name, () => this.list());
  }

  // ---- Running and testing

  /** Shows in the editor what the machine does, while it runs that source. */
  see(state: MachineState): void {
    this.jobs.see();
    if (!this.editor) return;
    const isHere = this.editor.name === this.machine.program;
    // A line that changes thirty times a second is not read.
    const stands = state.status === "paused" || state.status === "halted";
    this.editor.mark(isHere ? state.breaks : [], isHere && stands ? state.line : null);
    if (performance.now() >= this.due) this.runAgain(state);
  }

  private switchAgain(on: boolean): void {
    this.stored.again = on;
    save(this.stored);
    byId("again").ariaPressed = String(on);
  }

  /** What was changed is a part of what is in the machine: that starts again, and stands if it
   * stood. Breaks stay. */
  private runAgain(state: MachineState): void {
    this.due = Infinity;
    const { name, files, board } = this.machine.about;
    const isPart = [...files, board].includes(this.editor?.name ?? "");
    if (!this.stored.again || !isPart || this.machine.isOnTheWay) return;
    try {
      this.events.run(name, state.status === "paused");
    } catch (refusal) {
      // Another part of it does not assemble: what runs goes on.
      if (!(refusal instanceof Refusal)) throw refusal;
    }
  }

  private breakAt(line: number): void {
    if (this.editor?.name === this.machine.program) this.machine.ask("break", { line });
    else this.events.say("Run the program first: breaks belong to the one in the machine.");
  }

  private run(): void {
    if (!this.editor) return;
    this.due = Infinity;
    const { name } = this.editor;
    if (isBoard(name)) {
      return void this.refusable(() => {
        byId<HTMLSelectElement>("board").value = name;
        this.events.run(this.machine.program);
      });
    }
    try {
      this.events.run(name);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      const isMarked = refusal.message.startsWith("error: ");
      const marked = "It does not assemble yet: the editor marks where.";
      this.events.say(isMarked ? marked : refusal.message);
    }
  }

  private test(): void {
    if (!this.editor) return;
    const { name } = this.editor;
    const begin = () => this.machine.test(name);
    this.jobs.begin(byId("report"), begin, () => {});
  }

  private format(): void {
    if (!this.editor?.format()) this.events.say("A source with errors stays as it is.");
  }

  /** Downloads what is in the editor, or deletes it. */
  private save(what: string): void {
    if (!this.editor) return;
    const { name, text } = this.editor;
    if (what !== "delete") return this.files.download(name, text, what);
    if (!confirm(`Delete ${name}?`)) return;
    this.files.delete(name);
    this.show(this.files.own[0] ?? "counter");
  }
}
