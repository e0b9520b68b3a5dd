// The "write your own" door: the editor, its run and test buttons, and the lessons.

import { announce, byId, make, setText } from "./dom";
import { Editor, edited } from "./editor";
import { Files, isBoard, isSource, isTests, readTexts } from "./files";
import { Jobs } from "./jobs";
import { Lessons, fetchCourse } from "./lessons";
import { type Machine, Refusal } from "./machine";
import type { Action, Note } from "./note";
import type { About, Edited, Fix, MachineState, Position, TextEdit } from "./protocol";
import { type Folder, type Kind, Store } from "./store";

const KEPT = "This browser keeps every change at once. Save downloads the file.";
/** The eight instructions: an example, and what it does. */
const INSTRUCTIONS = [
  ["LDI  n", "A becomes the number n"], ["LD   a", "A becomes the byte at a"],
  ["ST   a", "the byte at a becomes A"], ["ADD  a", "A becomes A + the byte at a, C the carry"],
  ["NAND a", "A becomes not (A and the byte at a)"], ["SHR", "A becomes A / 2, C the remainder"],
  ["JC   t", "goes on at t if C is 1"], ["JMP  t", "goes on at t"],
];
/** The pause in typing after which a changed program runs again, in milliseconds. */
const PAUSE = 600;

export interface Events {
  /** Starts a program in the machine. */
  run(program: string, paused?: boolean): void;
  /** Loads another program, with a link back to the current one. */
  replace(load: () => void): void;
  /** Opens a door at a file. */
  open(door: "write" | "learn", file?: string): void;
  /** Called when files were added or deleted. */
  files(): void;
}

export class Write {
  private readonly store = new Store();
  private readonly files: Files;
  readonly jobs: Jobs;
  private readonly lessons: Lessons;
  private editor: Editor | undefined;
  /** True if the source in the editor has errors, and the fix for its first problem. */
  private hasErrors = false;
  private fix: Fix | null = null;
  /** The time at which the program runs again. */
  private due = Infinity;
  /** The name of the file that is open, or will be. */
  private name = this.store.get("open") ?? "";

  constructor(
    private readonly machine: Machine,
    private readonly note: Note,
    private readonly events: Events,
  ) {
    this.files = new Files(machine, this.store, (name) => this.isReserved(name));
    this.jobs = new Jobs(machine, (load) => events.replace(load));
    const open = (file: string) => this.show(file);
    this.lessons = new Lessons(machine, this.store, this.jobs, { open, run: () => this.run() });
    this.store.onChange = (kind, name) => this.follow(kind, name);
    const onClick = (id: string, pressed: () => void) => byId(id).addEventListener("click", pressed);
    onClick("run", () => this.run());
    onClick("test", () => this.test());
    onClick("again", () => this.switchAgain(!this.again));
    onClick("format", () => this.format());
    onClick("check", () => this.check());
    this.switchAgain(this.again);
    const list = byId<HTMLDetailsElement>("instructions");
    const hasRoom = matchMedia("(min-width: 1280px) and (min-height: 560px)").matches;
    list.open = hasRoom && this.store.get("instructions") !== "folded";
    list.firstElementChild?.addEventListener("click", () =>
      this.store.set("instructions", list.open ? "folded" : ""));
    list.lastElementChild?.append(...INSTRUCTIONS.map(([example = "", does = ""]) => {
      const button = make("button", { title: "Insert it" }, make("code", {}, example), does);
      button.addEventListener("click", () => this.editor?.insert(`        ${example}`));
      return make("li", {}, button);
    }));
    this.onChoice("new", (kind) => this.create(kind));
    this.onChoice("save", (what) => this.save(what));
    byId<HTMLSelectElement>("file").addEventListener("change", (event) =>
      this.choose((event.target as HTMLSelectElement).value),
    );
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      void this.guarded(() => this.drop(event));
    });
  }

  /** Makes a select element a menu, which shows its title again after each choice. */
  private onChoice(id: string, chosen: (value: string) => void): void {
    const select = byId<HTMLSelectElement>(id);
    select.addEventListener("change", () => {
      const { value } = select;
      select.value = "";
      void this.guarded(() => chosen(value));
    });
  }

  /** Runs `work`. If the machine refuses a request, shows the reason. */
  private async guarded(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.note.say(refusal.message);
    }
  }

  // ---- Files

  /** Returns the door (the part of the page) that has the source of a program, or undefined for a
   * built-in program. */
  doorOf(name: string): "write" | "learn" | undefined {
    if (!this.files.has(name) || !name.endsWith(".asm")) return undefined;
    return this.lessons.find(name) ? "learn" : "write";
  }

  /** The program that was open at the last visit, except programs of lessons. */
  private get latest(): string {
    const latest = [this.name, this.store.get("open") ?? "", ...this.files.own];
    return latest.find((name) => name !== "" && !this.lessons.find(name)) ?? "counter";
  }

  /** Opens the editor, with the file that was open at the last visit. */
  open(name = this.latest, line = 0): void {
    this.editor ??= new Editor(byId("editor"), this.machine, this.note, {
      keptAs: (file, text) => this.keptAs(file, text),
      edited: (file, text, found) => this.edited(file, text, found),
      run: () => this.run(),
      save: () => this.saySaved(),
      breakAt: (at) => this.breakAt(at),
      show: (file, at) => this.show(file, { at }),
      renamed: (changes) => this.renamed(changes),
    });
    const isThere = this.files.has(name) || this.lessons.find(name) || this.isBuiltIn(name);
    this.show(isThere ? name : "counter", { line });
  }

  private isBuiltIn(name: string): boolean {
    return this.machine.source(name) !== undefined;
  }

  /** Returns true if a name belongs to a built-in file. */
  private isReserved(name: string): boolean {
    return !this.files.has(name) && this.isBuiltIn(name);
  }

  /** Opens the current lesson, or the program of a link for a lesson. */
  learn(file?: string): void {
    const { present } = this.lessons;
    const shared = this.files.sharedNames.find((name) => this.lessons.find(name)?.file === present);
    this.open(file ?? shared ?? present);
  }

  /** A message about stored values that could not be read. Empty if there are none. */
  get damage(): string {
    const { damaged } = this.store;
    return damaged.length > 0 ? `Damaged, and set aside: ${damaged.join(", ")}.` : "";
  }

  /** Adds the files of a link to the list of files. Returns the file to show for its program: the
   * user's own if the link has an earlier text of it. */
  addShared({ name, files }: About): string {
    this.files.addShared(files);
    if (!this.files.isShared(name)) return name;
    this.name = this.files.adoptedAs(name);
    return this.name;
  }

  /** Says that the user's own file is newer than a shared one, which can be shown as well. */
  sayNewer(own: string, shared: string): void {
    const show: Action = ["Show the text of the link", () => this.events.open("write", shared)];
    this.note.say(`Your ${own} is newer than this link.`, show);
  }

  /** Handles another program in the machine. */
  begin(): void {
    this.files.remember(this.machine.about.files);
  }

  /** Returns the name to store an edited file under. A shared file becomes the user's. */
  private keptAs(name: string, text: string): string | undefined {
    if (!this.files.isShared(name)) return name;
    if (this.files.text(name) === text) return undefined;
    this.name = this.files.adopt(name);
    if (!this.lessons.find(this.name)) this.store.set("open", this.name);
    this.list();
    const words = `This is your own file now: ${this.name}. The text of the link stays below it in the list.`;
    setText(byId("file-words"), words);
    announce(words);
    return this.name;
  }

  /** Handles a change that another tab has stored. */
  private follow(kind: Kind, name: string): void {
    if (kind === "progress") return this.lessons.follow(name);
    const text = this.files.follow(kind, name);
    if (text !== undefined && this.editor?.name === name && this.editor.text !== text) {
      this.editor.replace(text);
    }
    if (this.editor) this.list();
    this.events.files();
  }

  /** Opens the file that was chosen in the list. For the contents of a chip, offers to delete
   * them. */
  private choose(value: string): void {
    const [, contents] = value.match(/^contents:(.*)$/s) ?? [];
    if (contents === undefined) return this.show(value);
    if (confirm(`Delete ${contents}?`)) this.files.delete("contents", contents);
    this.list();
  }

  /** Shows a file in the editor. The machine does not change. */
  private show(name: string, place: { at?: Position; line?: number } = {}): void {
    const lesson = this.lessons.find(name);
    if (lesson && !this.files.has(name)) this.files.put(name, lesson.skeleton);
    const file = this.files.copy(name);
    this.name = file;
    if (!lesson && !this.files.isShared(file)) this.store.set("open", file);
    this.list();
    setText(byId("door-title"), lesson ? "Lessons" : "Your program");
    const { editor } = this;
    const isShown = editor?.name === file && editor.text === this.files.text(file);
    // The file was already shown before the user changed tabs, so keep its verdict.
    if (isShown && !place.at && !place.line) return;
    this.due = Infinity;
    setText(byId("file-words"), "");
    byId("report").replaceChildren();
    this.lessons.show(file);
    byId("format").hidden = !isSource(file);
    byId("run").hidden = byId("again").hidden = isTests(file);
    byId("run").classList.toggle("main", !lesson);
    editor?.open(file, this.files.text(file) ?? "", place);
    this.events.files();
  }

  /** Lists the files that can be opened. */
  private list(): void {
    const option = (value: string, text = value) =>
      make("option", { value, textContent: text, selected: value === this.name });
    const group = (label: string, options: HTMLOptionElement[]) =>
      options.length > 0 ? [make("optgroup", { label }, ...options)] : [];
    const { lessons, title } = this.lessons.course;
    const own = this.files.own.filter((name) => !lessons.some(({ file }) => file === name));
    const shared = this.files.sharedNames;
    const built = this.machine.ask("programs").filter(([name]) => !this.files.has(name));
    const boards = this.machine.ask("boards").filter((name) => !this.files.has(name));
    byId("file").replaceChildren(
      ...group("From the link", shared.map((name) => option(name))),
      ...group("Yours", own.map((name) => option(name))),
      ...group(title, lessons.map(({ file, title, score }, n) =>
        option(file, `${score ? "✓ " : ""}${n + 1}. ${title}${score ? ` · ${score}` : ""}`))),
      ...group("Copy of a built-in program", built.map(([name, title]) =>
        option(name, `${name} · ${title}`))),
      ...group("Copy of a built-in board", boards.map((name) => option(name))),
      ...group("Contents of chips", this.store.names("contents").map((name) =>
        option(`contents:${name}`, `Delete ${name}`))),
    );
  }

  /** Stores a changed source, and shows its first problem with the fix. */
  private edited(name: string, text: string, { diagnostics, fix }: Edited): void {
    const isNew = this.files.text(name) !== text;
    const keeps = this.files.isShared(name) || this.files.put(name, text);
    const errors = diagnostics.filter(({ severity }) => severity === 1);
    [this.hasErrors, this.fix] = [errors.length > 0, fix];
    const found = this.hasErrors ? errors : diagnostics;
    const [first] = found;
    const kind = this.hasErrors ? "errors" : "warnings";
    const more = found.length > 1 ? `1 of ${found.length} ${kind}: ` : "";
    const room = keeps ? "" : ". This browser has no room for it.";
    const problems = byId("problems");
    problems.classList.toggle("warns", found.length > 0 && !this.hasErrors);
    if (first) {
      const { message, range: { start } } = first;
      const summary = `${more}line ${start.line + 1}: ${message.replaceAll("\n", "; ")}`;
      const lead = make("button", { textContent: summary });
      lead.addEventListener("click", () => this.editor?.goTo(start));
      // The program that runs is still the one before these errors.
      const late = this.hasErrors && this.again && this.isPart(name)
        ? "The LEDs show the program without this change." : "";
      problems.replaceChildren(lead, room, late);
      if (fix) {
        const button = make("button", { className: "main", textContent: fix.title.replaceAll("`", "") });
        button.addEventListener("click", () => this.applyFix(fix));
        problems.append(button);
      }
    } else setText(problems, `No errors${room}`);
    if (isNew) this.due = this.hasErrors ? Infinity : performance.now() + PAUSE;
  }

  /** Applies a fix. If the program then lacks a line, such as `.pool`, adds it as well. */
  private applyFix({ edit }: Fix): void {
    const { hasErrors } = this;
    this.editor?.apply(edit);
    const { start, end } = this.fix?.edit.range ?? {};
    const isInsertion = start && start.line === end?.line && start.character === end.character;
    if (!hasErrors && this.hasErrors && this.fix && isInsertion) this.editor?.apply(this.fix.edit);
  }

  private renamed(changes: Record<string, TextEdit[]>): void {
    for (const [name, edits] of Object.entries(changes)) {
      this.files.put(name, edited(this.files.text(name) ?? "", edits));
    }
  }

  private async drop(event: DragEvent): Promise<void> {
    const files = [...(event.dataTransfer?.files ?? [])];
    const entries = [...(event.dataTransfer?.items ?? [])]
      .filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry());
    if (files.length === 0) {
      throw new Refusal("That was not a file. Drop programs, tests, boards, or the folder of a course.");
    }
    for (const entry of entries) {
      if (entry?.isDirectory) await this.addFolder(entry as FileSystemDirectoryEntry);
    }
    const plain = files.filter((_, n) => !entries[n]?.isDirectory);
    if (plain.length === 0) return;
    const isArchive = ({ name }: File) => /\.zip$/i.test(name);
    const archives = plain.filter(isArchive);
    const others = plain.filter((file) => !isArchive(file));
    const added = others.length > 0 ? await this.files.addDropped(others) : [];
    for (const archive of archives) added.push(...await this.files.addArchive(archive));
    const names = added.filter((name) => this.files.has(name));
    const contents = added.filter((name) => !this.files.has(name));
    const last = names.at(-1);
    if (last !== undefined) this.events.open("write", last);
    const kinds = [
      names.length > 0 ? `Added: ${names.join(", ")}` : "",
      contents.length > 0 ? `Kept as the contents of a chip, for a board that names it: ${contents.join(", ")}` : "",
    ];
    this.note.say(kinds.filter(Boolean).join(". "));
  }

  /** Adds a dropped folder: a course, or programs with their tests and boards. */
  private async addFolder(folder: FileSystemDirectoryEntry): Promise<void> {
    const files = await readTexts(folder);
    const paths = Object.keys(files);
    if (paths.length === 0) {
      throw new Refusal(`${folder.name} has no programs, tests, boards or lessons.`);
    }
    const isCourse = paths.some((path) => /(^|\/)(course|lesson)\.ron$/.test(path));
    const ours = paths.filter((path) => /\.(asm|ron)$/.test(path));
    if (isCourse || ours.length === 0) return this.switchCourse({ folder: folder.name, files });
    const texts = Object.fromEntries(ours.map((path) => [path, files[path] ?? ""]));
    this.events.open("write", this.files.addFolder(folder.name, texts)[0]);
  }

  // ---- Lessons

  private switchCourse(course: Folder): void {
    this.lessons.adopt(course);
    this.events.open("learn");
    this.note.say(`The lessons now come from ${course.folder}.`);
  }

  /** Fetches a course from a folder on the same host, and opens it. */
  async fetchCourse(folder: string): Promise<void> {
    await this.guarded(async () => this.switchCourse(await fetchCourse(this.machine, folder)));
  }

  private check(): void {
    this.editor?.settle();
    if (this.editor) this.lessons.check(this.editor.name, () => this.list());
  }

  // ---- Running and testing

  /** Shows the state of the machine in the editor, if it runs the source there. */
  update(state: MachineState): void {
    this.jobs.update();
    if (!this.editor) return;
    const isHere = this.editor.name === this.machine.program;
    // Do not show a line that changes thirty times a second.
    const isStopped = state.status === "paused" || state.status === "halted";
    this.editor.mark(isHere ? state.breaks : [], isHere && isStopped ? state.line : null);
    if (performance.now() >= this.due) this.runAgain(state);
  }

  /** True if a program runs again automatically after an edit. */
  private get again(): boolean {
    return this.store.get("again") !== "";
  }

  private switchAgain(on: boolean): void {
    this.store.set("again", on ? "yes" : "");
    byId("again").ariaPressed = String(on);
  }

  /** Returns true if one of the user's files is part of the program in the machine. */
  private isPart(file: string): boolean {
    const { name, files, board } = this.machine.about;
    // A built-in program does not include the user's files.
    const parts = this.files.has(name) ? files : [];
    return [name, board, ...parts].some((part) => this.files.adoptedAs(part) === file);
  }

  /** Runs the edited program again. If the file is part of the program in the machine, that
   * program restarts. A paused program stays paused, and breakpoints are kept. Any other program
   * starts running, unless it is only included by others. */
  private runAgain(state: MachineState): void {
    this.due = Infinity;
    const { program } = this.machine;
    const name = this.editor?.name ?? "";
    if (!this.again || this.machine.isOpening) return;
    const isPart = this.isPart(name);
    if (!isPart && (!isSource(name) || this.files.isIncluded(name))) return;
    const staysPaused = isPart && state.status === "paused" && !this.files.isShared(program);
    try {
      this.events.run(isPart ? this.files.adoptedAs(program) : name, staysPaused);
    } catch (refusal) {
      // Another file of the program has an error, so the current program continues.
      if (!(refusal instanceof Refusal)) throw refusal;
    }
  }

  private breakAt(line: number): void {
    if (this.editor?.name === this.machine.program) this.machine.ask("toggleBreak", line);
    else this.note.say("Run the program first: breaks apply to the program in the machine.");
  }

  /** Returns the file in the editor with everything that was typed, and whether it has errors. */
  currentFile(): { name: string; text: string; hasErrors: boolean } | undefined {
    if (!this.editor || byId("door-write").closest("[hidden]")) return undefined;
    this.editor.settle();
    if (this.due < Infinity) this.runAgain(this.machine.state());
    const { name, text } = this.editor;
    return { name, text, hasErrors: this.hasErrors };
  }

  private run(): void {
    if (!this.editor) return;
    this.editor.settle();
    this.due = Infinity;
    byId("report").replaceChildren();
    const { name } = this.editor;
    if (isBoard(name)) {
      return void this.guarded(() => {
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
      this.note.say(isMarked ? marked : refusal.message);
    }
  }

  private test(): void {
    if (!this.editor) return;
    this.editor.settle();
    const { name } = this.editor;
    const begin = () => this.machine.test(name);
    const { jobs } = this;
    jobs.begin(byId("report"), begin, ({ leads }) => {
      if (leads) byId("report").append(jobs.button("Show that moment", () => jobs.goToFailure()));
    });
  }

  private format(): void {
    this.editor?.settle();
    if (!this.editor?.format()) this.note.say("A program with errors cannot be formatted.");
  }

  /** Downloads or deletes the file in the editor. */
  private save(what: string): void {
    if (!this.editor) return;
    const { name, text } = this.editor;
    if (what === "all") return this.files.downloadAll();
    if (what === "rename") return this.rename(name);
    if (what !== "delete") return this.files.download(name, text, what);
    if (this.files.isShared(name) || !confirm(`Delete ${name}?`)) return;
    this.files.delete("source", name);
    this.show(this.files.own[0] ?? "counter");
    this.note.say(`${name} is deleted.`, ["Undo", () => {
      this.files.put(name, text);
      this.show(name);
    }]);
  }

  /** Asks for another name for a file. */
  private rename(name: string): void {
    if (this.files.isShared(name)) throw new Refusal("This file belongs to a link.");
    const given = prompt("The new name", name);
    if (given === null || given === name) return;
    this.editor?.settle();
    const renamed = this.files.rename(name, given);
    this.editor?.renameFile(renamed);
    this.show(renamed);
    this.note.say(`${name} is ${renamed} now.`);
  }

  /** Says whether the browser keeps the file in the editor. */
  private saySaved(): void {
    if (!this.editor) return;
    this.editor.settle();
    const { name, text } = this.editor;
    if (this.files.isShared(name)) {
      this.note.say("This file came with a link. It becomes yours when you change it.");
    } else if (this.files.put(name, text)) this.note.say(KEPT);
    else this.note.say(`This browser has no room for ${name}. Save downloads it.`);
  }

  /** Creates a file of a kind, and opens it. */
  private create(kind: string): void {
    const { own } = this.files;
    const name = this.files.make(kind, this.name);
    if (!own.includes(name)) this.editor?.forget(name);
    this.show(name);
  }
}
