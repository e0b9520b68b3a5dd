// The "write your own" door: the editor, its run and test buttons, and the lessons.

import { Again } from "./again";
import { announce, byId, make, setText } from "./dom";
import { Drop } from "./drop";
import { Editor, edited } from "./editor";
import { Files, isBoard, isSource, isTests, testsOf } from "./files";
import { listInstructions } from "./instructions";
import { Jobs } from "./jobs";
import { Lessons, fetchCourse } from "./lessons";
import { type Machine, Refusal } from "./machine";
import type { Action, Note } from "./note";
import { Problems } from "./problems";
import type { About, Edited, MachineState, Position, TextEdit } from "./protocol";
import { type Folder, type Kind, Store } from "./store";

const KEPT = "This browser keeps every change at once. Save downloads the file.";

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
  private readonly problems = new Problems();
  private readonly again: Again;
  /** The name of the file that is open, or will be. */
  private name = this.store.get("open") ?? "";

  constructor(
    private readonly machine: Machine,
    private readonly note: Note,
    private readonly events: Events,
  ) {
    this.files = new Files(machine, this.store, (name) => this.isReserved(name));
    this.again = new Again(machine, this.store, this.files, (program, paused) =>
      events.run(program, paused));
    this.jobs = new Jobs(machine, (load) => events.replace(load));
    const open = (file: string) => events.open("learn", file);
    this.lessons = new Lessons(machine, this.store, this.jobs, { open, run: () => this.run() });
    this.store.onChange = (kind, name) => this.follow(kind, name);
    const onClick = (id: string, pressed: () => void) => byId(id).addEventListener("click", pressed);
    onClick("run", () => this.run());
    onClick("test", () => this.test());
    onClick("format", () => this.format());
    onClick("check", () => this.check());
    listInstructions(this.store, (line) => this.editor?.insert(line));
    this.onChoice("new", (kind) => this.create(kind));
    this.onChoice("save", (what) => this.save(what));
    byId<HTMLSelectElement>("file").addEventListener("change", (event) =>
      this.choose((event.target as HTMLSelectElement).value),
    );
    // When the keyboard of a telephone opens, the editor is the part that stays visible.
    matchMedia("(max-width: 599px) and (max-height: 520px)").addEventListener("change", () => {
      const editor = byId("editor");
      if (editor.contains(document.activeElement)) editor.scrollIntoView();
    });
    const drop = new Drop(this.files, note, {
      open: (file) => events.open("write", file),
      switchCourse: (course) => this.switchCourse(course),
    });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      this.note.guard(() => drop.take(event));
    });
  }

  /** Makes a select element a menu, which shows its title again after each choice. */
  private onChoice(id: string, chosen: (value: string) => void): void {
    const select = byId<HTMLSelectElement>(id);
    select.addEventListener("change", () => {
      const { value } = select;
      select.value = "";
      this.note.guard(() => chosen(value));
    });
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
    this.again.cancel();
    setText(byId("file-words"), "");
    byId("report").replaceChildren();
    this.lessons.show(file);
    byId("format").hidden = !isSource(file);
    byId("run").hidden = byId("again").hidden = isTests(file);
    // A lesson has Check instead.
    byId("test").hidden = lesson !== undefined;
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
  private edited(name: string, text: string, found: Edited): void {
    const isNew = this.files.text(name) !== text;
    const keeps = this.files.isShared(name) || this.files.put(name, text);
    const words = keeps ? "" : ". This browser has no room for it.";
    // The program that runs is still the one before these errors.
    const late = this.again.isOn && this.again.isPart(name)
      ? "The LEDs show the program without this change." : "";
    if (this.editor) this.problems.show(this.editor, found, words, late);
    if (!isNew) return;
    // These results are about the text before.
    byId("report").replaceChildren();
    if (this.problems.hasErrors) this.again.cancel();
    else this.again.plan();
  }

  private renamed(changes: Record<string, TextEdit[]>): void {
    for (const [name, edits] of Object.entries(changes)) {
      this.files.put(name, edited(this.files.text(name) ?? "", edits));
    }
  }

  // ---- Lessons

  private switchCourse(course: Folder): void {
    this.lessons.adopt(course);
    this.events.open("learn");
    this.note.say(`The lessons now come from ${course.folder}.`);
  }

  /** Fetches a course from a folder on the same host, and opens it. */
  fetchCourse(folder: string): void {
    this.note.guard(async () => this.switchCourse(await fetchCourse(this.machine, folder)));
  }

  private check(): void {
    this.editor?.settle();
    if (this.editor) this.lessons.check(this.editor.name, this.problems, () => this.list());
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
    this.again.update(this.editor.name);
  }

  private breakAt(line: number): void {
    if (this.editor?.name === this.machine.program) this.machine.ask("toggleBreak", line);
    else this.note.say("Run the program first: breaks apply to the program in the machine.");
  }

  /** Returns the file in the editor with everything that was typed, and whether it has errors. */
  currentFile(): { name: string; text: string; hasErrors: boolean } | undefined {
    if (!this.editor || byId("door-write").closest("[hidden]")) return undefined;
    this.editor.settle();
    const { name, text } = this.editor;
    this.again.hurry(name);
    return { name, text, hasErrors: this.problems.hasErrors };
  }

  private run(): void {
    if (!this.editor) return;
    this.editor.settle();
    this.again.cancel();
    byId("report").replaceChildren();
    const { name } = this.editor;
    if (isBoard(name)) {
      return this.note.guard(() => {
        byId<HTMLSelectElement>("board").value = name;
        this.events.run(this.machine.program);
      });
    }
    this.note.guard(() => {
      this.problems.expectNone();
      this.events.run(name);
    });
  }

  private test(): void {
    if (!this.editor) return;
    this.editor.settle();
    const { name } = this.editor;
    if (isSource(name) && !this.files.has(testsOf(name))) return this.offerTests(name);
    const begin = () => this.machine.test(name);
    const { jobs } = this;
    jobs.begin(byId("report"), begin, ({ leads }) => {
      if (leads) byId("report").append(make("button", {
        textContent: "Show that moment", onclick: () => jobs.goToFailure(),
      }));
    });
  }

  /** Says how to make the tests that a program does not have. */
  private offerTests(name: string): void {
    const words = `${name} has no tests yet. "New: tests of this program" makes the first.`;
    const button = make("button", { textContent: "Make it", onclick: () => this.create("tests") });
    byId("report").replaceChildren(make("p", {}, words), button);
    announce(words);
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
