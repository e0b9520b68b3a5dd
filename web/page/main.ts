// Starts the page, and advances the machine in every frame.

import { Address } from "./address";
import { Choices } from "./choices";
import { byId, setText } from "./dom";
import { Doubt } from "./doubt";
import { makeFresh } from "./fresh";
import { isForPage } from "./keys";
import { load } from "./load";
import { Machine } from "./machine";
import { Message } from "./message";
import { type Action, Note } from "./note";
import { Panes } from "./panes";
import { Share } from "./share";
import { Stage } from "./stage";
import { Write } from "./write";

/** The time in milliseconds that the machine may use in each frame. With more, the page drops
 * frames. */
const WORK = 6;
const TITLES: Record<string, string> = {
  chips: "The chips", read: "The program", write: "Your program", learn: "Lessons",
};
/** A moment at which the first letters of a message are on the LEDs. */
const FIRST_LETTER = 64_000;
/** The maximum time by which a frame advances the machine, in milliseconds. A background tab is
 * paused. */
const FRAME_MAX = 100;

class Page {
  private readonly note = new Note();
  private readonly choices: Choices;
  private readonly stage: Stage;
  private readonly panes: Panes;
  private readonly write: Write;
  private readonly share: Share;
  private readonly message: Message;
  private readonly address: Address;
  private readonly doubt: Doubt;
  /** What to say when a moment is open that the page itself leads to. */
  private arrival = "";
  /** True if the machine was running when the page was left, undefined for a link. */
  private resumes: boolean | undefined;
  /** After a reload of the page, true until the first moment is open. */
  private reloaded = performance.getEntriesByType("navigation").some((it) =>
    (it as PerformanceNavigationTiming).type === "reload");
  private seen = 0;
  private changed = true;
  /** True if the machine was running when the tab went to the background. */
  private wasRunning = false;

  constructor(private readonly machine: Machine) {
    const changed = () => void (this.changed = true);
    const replace = (load: () => void) => this.address.follow(() => (load(), this.begin()), true);
    const { note } = this;
    this.choices = new Choices(machine, (program, paused) => this.play(program, paused));
    this.choices.show();
    this.write = new Write(machine, note, {
      run: (program, paused) => this.address.follow(() => this.start(program, paused), true),
      replace,
      open: (door, file) => this.open(door, file),
      files: () => this.choices.show(),
    });
    this.stage = new Stage(machine, note, changed);
    this.message = new Message(machine, replace);
    this.address = new Address(machine, ({ link, runs }) => this.note.guard(() => {
      machine.open(link);
      this.resumes = runs;
    }));
    const opened = (name: string) => this.choose(name);
    const edit = (file: string, line: number) => this.open("write", file, line);
    this.panes = new Panes(machine, note, { changed, opened, edit, leave: () => this.close() });
    this.doubt = new Doubt(machine, note, this.write.jobs, {
      cell: () => this.panes.drawing.cell,
      open: (link, words) => {
        this.arrival = words;
        location.hash = link;
      },
      replace,
      edit: (board) => this.open("write", board),
    });
    machine.onRestart = () => this.begin();
    for (const door of document.querySelectorAll<HTMLButtonElement>("[data-door]")) {
      door.addEventListener("click", ({ detail }) => {
        this.open(door.dataset.door ?? "");
        // After a click of the mouse, the next keys are for the panes.
        if (detail > 0 && door.dataset.door === "read") byId("panes").focus({ preventScroll: true });
      });
    }
    byId("follow").addEventListener("click", () => {
      this.open("chips");
      this.panes.follow();
    });
    byId("close").addEventListener("click", () => this.close());
    this.share = new Share(machine, () => {
      const edited = this.write.currentFile();
      this.stage.press("pause");
      return edited;
    }, () => this.stage.boast);
    addEventListener("hashchange", () => this.follow());
    // The user can stop opening a far moment by any key or button.
    for (const type of ["keydown", "pointerdown"] as const) {
      document.addEventListener(type, () => machine.isOpening && machine.ask("stopOpening"), true);
    }
    document.addEventListener("keydown", (event) => this.handleKey(event));
    document.addEventListener("keyup", (event) => {
      // Firefox presses a clicked button when the space bar is released.
      if (event.key === " " && isForPage(event)) event.preventDefault();
    });
    document.addEventListener("visibilitychange", () => this.handleVisibility());
    this.offerCourse();
  }

  /** Starts with the link in the address, or else with the queens program. */
  visit(): void {
    this.start("queens");
    this.stage.hurry();
    this.note.say(this.write.damage);
    this.follow();
    if (history.state?.door) this.open(history.state.door);
  }

  /** Starts a program on the chosen engine and board. */
  start(program: string, paused = false): void {
    this.machine.start(program, this.choices.hardware, paused);
    this.begin();
    this.note.say(this.machine.about.note ?? "");
  }

  /** Starts a program that the user chose. If that is refused, the current one stays. */
  private choose(program: string, paused = false): void {
    this.note.guard(() => this.address.follow(() => this.start(program, paused), false));
    this.choices.show();
  }

  /** Starts the program of the list. On a phone, a game that was not there before needs the place
   * of an open door for its buttons. */
  private play(program: string, paused: boolean): void {
    const before = this.machine.program;
    this.choose(program, paused);
    const hidesButtons = this.stage.readsButtons && !byId("pad").checkVisibility();
    if (document.body.dataset.open && this.machine.program !== before && hidesButtons) this.close();
  }

  /** Pauses the machine in a background tab, and says so when the tab returns. */
  private handleVisibility(): void {
    const { status } = this.machine.state();
    if (document.hidden) this.wasRunning = status === "running" || status === "searching";
    else if (this.wasRunning) this.note.sayHere("The machine was paused while the page was in the background.");
  }

  /** Offers a button that opens a course from the same host. */
  private offerCourse(): void {
    const folder = new URLSearchParams(location.search).get("course");
    if (folder === null) return;
    if (location.protocol === "file:") {
      return this.note.say("A page from a file cannot fetch a course: drop its folder on the page.");
    }
    const offer = byId<HTMLButtonElement>("offer");
    setText(offer, `Open the lessons in ${folder}`);
    offer.hidden = false;
    offer.addEventListener("click", () => {
      offer.hidden = true;
      this.open("write");
      this.write.fetchCourse(folder);
    });
  }

  /** Opens the program that the address names, or the moment of a link in it. */
  follow(): void {
    const hash = location.hash.slice(1);
    document.body.classList.toggle("embed", /(&|%26)(amp;)*embed\b/i.test(hash));
    byId<HTMLAnchorElement>("whole").href = `#${hash.split(/&|%26/)[0]}`;
    if (hash === "") return;
    this.address.forget();
    this.resumes = undefined;
    const [name] = hash.match(/^[\w-]*/) ?? [];
    this.note.guard(() => {
      if (!this.machine.ask("programs").some(([it]) => it === name)) {
        if (hash === name) return this.note.say(`There is no program called ${name}.`);
        return this.machine.open(hash);
      }
      this.machine.start(name ?? "", {});
      this.begin();
    });
  }

  /** Shows the progress of a link that is being opened. */
  private updateOpening(): void {
    const progress = this.machine.updateOpening();
    if (progress === undefined) return;
    if (progress !== true) {
      const [now, at] = progress.map((n) => n.toLocaleString("en"));
      return this.note.say(`On the way: ${now} of ${at} instructions`);
    }
    const { name, note } = this.machine.about;
    const shown = this.write.addShared(this.machine.about);
    const { leds, now } = this.machine.state();
    const isDark = ![...leds.green, ...leds.red].some(Boolean);
    // A link without a moment starts the program.
    const begins = this.resumes === undefined && now === 0 && note === null;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (begins || (this.resumes && !isStill)) this.machine.ask("transport", "play");
    this.begin();
    const isLink = this.resumes === undefined;
    this.resumes = undefined;
    const words = begins || !isLink || this.reloaded ? "" : "This is the moment of the link.";
    const { arrival } = this;
    this.arrival = "";
    const play: Action = ["Play from the start", () => {
      this.machine.ask("seek", 0);
      this.stage.press("play");
    }];
    const offers = arrival === "" && isLink && isDark && !begins;
    this.note.sayHere(arrival || (note ?? words), offers ? play : undefined);
    if (arrival) byId("note").scrollIntoView({ block: "nearest" });
    this.reloaded = false;
    if (shown !== name && this.machine.source(shown) !== this.machine.source(name)) {
      this.write.sayNewer(shown, name);
    }
    // After a reload, open the door that was open before.
    const [door, kept] = [this.write.doorOf(name), history.state?.door];
    const isNew = kept === undefined || (kept === door && name.startsWith("link/"));
    if (isLink && door && isNew && !document.body.classList.contains("embed")) this.open(door, shown);
  }

  /** Updates the page for another program in the machine. */
  private begin(): void {
    this.note.begin();
    this.stage.begin();
    this.write.begin();
    this.message.begin();
    this.panes.reopen();
    this.share.begin();
    this.doubt.begin();
    this.choices.show();
    this.changed = true;
    const runs = this.machine.state().status === "running";
    if (runs && matchMedia("(prefers-reduced-motion: reduce)").matches) {
      // Start paused at an interesting picture: the first result, or the first letter of a message.
      this.machine.advance(50, 200);
      this.machine.ask("transport", "pause");
      if (this.machine.about.message !== null) this.machine.ask("runTo", FIRST_LETTER);
      // A game has no result before somebody plays it.
      else if (!this.stage.readsButtons) this.machine.ask("transport", "laterResult");
    }
  }

  private open(door: string, file?: string, line?: number): void {
    const body = document.body;
    body.dataset.open = door;
    this.address.keepDoor(door);
    const isWrite = door === "write" || door === "learn";
    byId("door").hidden = false;
    byId("door-panes").hidden = isWrite;
    byId("door-write").hidden = !isWrite;
    setText(byId("door-title"), TITLES[door] ?? "");
    this.panes.isOpen = false;
    if (door === "learn") this.write.learn(file);
    else if (isWrite) this.write.open(file, line);
    else this.panes.open(door === "chips" ? "board" : "source");
    for (const button of document.querySelectorAll("[data-door]")) {
      button.setAttribute("aria-expanded", String((button as HTMLElement).dataset.door === door));
    }
    byId("close").hidden = false;
    this.scrollToMachine();
    this.changed = true;
  }

  /** Scrolls to the machine. Includes the header if there is enough room. */
  private scrollToMachine(): void {
    const hasRoom = matchMedia("(min-width: 1024px) and (min-height: 560px)").matches;
    document.querySelector(hasRoom ? "header" : "main")?.scrollIntoView();
  }

  private close(): void {
    const door = document.body.dataset.open;
    byId("door").hidden = byId("close").hidden = true;
    this.panes.isOpen = false;
    delete document.body.dataset.open;
    this.address.keepDoor("");
    const button = document.querySelector<HTMLButtonElement>(`[data-door="${door}"]`);
    button?.setAttribute("aria-expanded", "false");
    button?.focus({ preventScroll: true });
    this.scrollToMachine();
    this.changed = true;
  }

  private handleKey(event: KeyboardEvent): void {
    if (!isForPage(event)) return;
    // Keyboards without brackets have other letters in their places.
    const places: Record<string, string> = { BracketLeft: "[", BracketRight: "]" };
    const key = event.key > "~" ? places[event.code] ?? event.key : event.key;
    if (key === " ") this.stage.toggle();
    else if (key === "[") this.stage.press("earlierResult");
    else if (key === "]") this.stage.press("laterResult");
    else if (this.stage.readsButtons) return;
    else if (event.key === "ArrowLeft") this.stage.press("back");
    else if (event.key === "ArrowRight") this.stage.press("forward");
    else return;
    event.preventDefault();
  }

  /** Handles a frame of the screen. */
  frame(time: number): void {
    const elapsed = Math.min(time - this.seen, FRAME_MAX);
    this.seen = time;
    this.note.guard(() => {
      // Some browsers draw a frame in the background now and then.
      if (!document.hidden) this.machine.advance(elapsed, WORK);
      this.updateOpening();
      const state = this.machine.state();
      this.stage.show(state);
      if (state.remark && this.changed) this.note.sayRemark(state.remark);
      this.panes.draw(state);
      this.write.update(state);
      this.note.update(state);
      this.changed = false;
    });
    requestAnimationFrame((next) => this.frame(next));
  }
}

/** Starts the page once the module is loaded. */
function begin(module: WebAssembly.Module): void {
  const machine = new Machine(module);
  const page = new Page(machine);
  page.visit();
  for (const element of document.querySelectorAll<HTMLElement>("[inert]")) element.inert = false;
  document.body.dataset.ready = "true";
  requestAnimationFrame((time) => page.frame(time));
  // For tests and for the browser's console.
  Object.assign(globalThis, { gray1: machine });
}

makeFresh();
load().then(begin).catch((error: unknown) => {
  console.error(error);
  setText(byId("caption"), error instanceof Error ? error.message : String(error));
}).finally(() => byId("loading").remove());
