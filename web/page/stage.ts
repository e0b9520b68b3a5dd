// The part of the page that visitors see first: LEDs, caption, film strip, transport, legend,
// results.

import { Clock } from "./clock";
import { byId, make, pen, setText } from "./dom";
import { Film } from "./film";
import { isFocusedByKey, isForPage, usesKeys } from "./keys";
import { COLOURS, Panel, drawBoard, keyOf } from "./leds";
import type { Machine } from "./machine";
import type { Note } from "./note";
import type { Led, MachineState, PrintedResult, Transport } from "./protocol";
import { Why } from "./why";

/** The size of a board among the results, in pixels. */
const BOARD = 64;
/** The minimum time between two updates of the results while the machine runs, in milliseconds. */
const RESULTS = 250;
/** No meanings of colours. */
const NONE: [Led, string][] = [];
/** A program that shows the same for this many instructions may be in a loop by mistake. */
const STILL = 100_000_000;
/** The panel's buttons by key. */
const PANEL_KEYS: Record<string, string> = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down",
  Enter: "a", x: "a", Backspace: "b", z: "b", d: "select", s: "start",
};

/** Returns the button for a key, regardless of modifiers. Uses the position of the key on keyboards
 * without Latin letters, and when Option changes the character. */
function buttonOf({ key, code }: KeyboardEvent): string | undefined {
  const name = key > "~" ? code.replace("Key", "") : key;
  return PANEL_KEYS[name.length === 1 ? name.toLowerCase() : name];
}

/** A result with its board of LEDs. */
interface Board {
  result: PrintedResult;
  item: HTMLLIElement;
  button: HTMLButtonElement;
  canvas: HTMLCanvasElement;
}

export class Stage {
  private readonly why: Why;
  private readonly panel: Panel;
  private readonly film: Film;
  private readonly clock = new Clock();
  private readonly play = byId<HTMLButtonElement>("play");
  private readonly log = byId("log");
  /** The boards of the results, by moment. */
  private boards = new Map<number, Board>();
  private readonly visible: IntersectionObserver;
  private marked: Board | undefined;
  private listedAt = 0;
  /** The panel buttons that are held, by the key or pointer that holds each. */
  private readonly held = new Map<string, string>();
  /** True to play faster until the first result, for new visitors. */
  private hurries = false;
  private results = "";
  private printed = -1;
  /** What the panel has shown since a moment. */
  private still = { shown: "", since: 0, isSaid: false };

  constructor(
    private readonly machine: Machine,
    private readonly note: Note,
    private readonly changed: () => void,
  ) {
    this.film = new Film(machine, changed);
    this.why = new Why(machine, changed, (squares) => this.panel.ring(squares));
    this.panel = new Panel((row, column, cell, isTap) => {
      if (isTap && this.readsButtons && this.machine.state().status === "running") {
        return this.pointToButtons();
      }
      this.hurries = false;
      this.why.ask(row, column, cell);
    });
    const draw = ({ canvas, result }: Board) =>
      drawBoard(pen(canvas, BOARD, BOARD), result.leds, 0, 0, BOARD);
    // There can be a thousand boards, so draw only the visible ones.
    this.visible = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        const board = this.boards.get(Number((target as HTMLElement).dataset.moment));
        if (!isIntersecting || !board) continue;
        draw(board);
        this.visible.unobserve(target);
      }
    }, { rootMargin: "200px" });
    addEventListener("beforeprint", () => this.boards.forEach(draw));
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-transport]")) {
      button.addEventListener("click", () => this.press(button.dataset.transport as Transport));
    }
    this.play.addEventListener("click", () => this.toggle());
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-hold]")) {
      const name = button.dataset.hold ?? "";
      // A touch holds the button at once, and several fingers can hold several buttons.
      button.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        this.hold(`${event.pointerId}`, name);
        button.setPointerCapture(event.pointerId);
      });
      for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
        button.addEventListener(end, ({ pointerId }) => this.release(`${pointerId}`));
      }
      button.addEventListener("click", (event) => {
        // This click was made by a key. Mouse and touch are handled above.
        if (event.detail !== 0) return;
        this.hold("click", name);
        this.release("click");
      });
    }
    byId("results").addEventListener("keydown", (event) => this.moveFocus(event));
    document.addEventListener("keydown", (event) => {
      const button = buttonOf(event);
      if (!button || !this.readsButtons || !isForPage(event)) return;
      event.preventDefault();
      // A key that repeats is already held, possibly since another moment of the machine.
      if (!event.repeat) this.hold(event.code, button);
    });
    const releaseAll = () => this.release(...this.held.keys());
    // On a Mac, releasing a key while Command is held is not reported.
    const isUp = ({ code, key }: KeyboardEvent) => (key === "Meta" ? releaseAll() : this.release(code));
    document.addEventListener("keyup", isUp, true);
    // Keys that are released in another window are not reported.
    for (const type of ["blur", "contextmenu"]) window.addEventListener(type, releaseAll);
    // A long press on a button must not open a menu.
    byId("pad").addEventListener("contextmenu", (event) => {
      event.preventDefault();
      event.stopPropagation();
    });
    for (const type of ["visibilitychange", "close", "cancel"]) {
      document.addEventListener(type, releaseAll, true);
    }
    document.addEventListener("focusin", ({ target }) => usesKeys(target as Element) && releaseAll());
  }

  /** True if the program in the machine reads the buttons. */
  get readsButtons(): boolean {
    return this.machine.about.readsButtons;
  }

  /** Plays faster until the first result. */
  hurry(): void {
    this.press("faster");
    this.hurries = true;
  }

  /** The player's success, to be shared. */
  get boast(): string | undefined {
    const time = this.clock.solvedIn;
    return time && `solved in ${time}: beat it`;
  }

  press(button: Transport): void {
    this.hurries = false;
    this.machine.ask("transport", button);
    if (button === "reset") this.clock.begin(this.machine.about.rival);
    this.changed();
  }

  toggle(): void {
    this.press(this.machine.state().status === "running" ? "pause" : "play");
  }

  /** Holds a panel button for a key or pointer. A paused machine continues, except while the user
   * steps through the program. */
  private hold(by: string, button: string): void {
    this.held.set(by, button);
    const { classList } = byId("pad");
    if (classList.contains("pointed")) this.note.sayHere("");
    classList.remove("pointed");
    const state = this.machine.state();
    // In a game, a search for the next result might never end.
    if (state.status === "searching") this.machine.ask("transport", "pause");
    this.machine.ask("hold", [...this.held.values()].join("+"));
    this.clock.press(button, state);
    if (!["paused", "searching"].includes(state.status)) return this.changed();
    if (document.body.dataset.open !== "read") return this.press("play");
    this.note.sayHere("The button is down. The program sees it when you step or play.");
    this.changed();
  }

  /** Points out the buttons to a user who taps the LEDs of a game. */
  private pointToButtons(): void {
    const pad = byId("pad");
    this.note.sayHere(pad.checkVisibility()
      ? "Play with the buttons. Hold an LED to ask why."
      : "Close what is open with ✕ to play with the buttons.");
    pad.classList.remove("pointed");
    requestAnimationFrame(() => pad.classList.add("pointed"));
  }

  /** Releases the buttons that these keys or pointers hold. */
  private release(...by: string[]): void {
    if (by.filter((it) => this.held.delete(it)).length === 0) return;
    this.machine.ask("hold", [...this.held.values()].join("+") || "-");
    this.changed();
  }

  /** Handles another program in the machine. */
  begin(): void {
    const { usage, legend, result, readsButtons, introduction, hasCaptions } = this.machine.about;
    const { title } = this.machine;
    for (const id of ["title", "whole-title"]) setText(byId(id), title);
    setText(byId("use"), usage);
    setText(byId("introduction"), introduction);
    byId("caption").hidden = !hasCaptions;
    document.title = `${title} · Gray-1`;
    byId("legend").replaceChildren(
      ...legend.map(([led, text]) => make("li", {}, swatch(led), text)),
    );
    setText(byId("results-word"), result === "solution" ? "Solutions" : `${result}s`);
    byId("pad").hidden = !readsButtons;
    this.clock.begin(this.machine.about.rival);
    this.held.clear();
    this.why.end();
    this.visible.disconnect();
    this.boards.clear();
    this.marked = undefined;
    this.film.results = [];
    byId("results").replaceChildren();
    byId("results-section").hidden = true;
    this.hurries = false;
    [this.results, this.printed, this.listedAt] = ["", -1, 0];
  }

  show(state: MachineState): void {
    const runs = state.status === "running";
    if (this.hurries && state.lines > 0) this.press("slower");
    this.panel.show(state.leds, runs);
    this.watchLoop(state);
    this.why.show(state);
    this.clock.show(state);
    const { isSolved, isFrozen } = this.clock;
    const praise = isFrozen ? "The machine solved it." : "Solved.";
    byId("legend").hidden = isSolved;
    setText(byId("caption"), isSolved ? praise : state.caption || "\u00a0");
    // A solved board is lit all over, and its LEDs mean nothing else.
    this.panel.setMeanings(isSolved ? NONE : this.machine.about.legend);
    this.play.dataset.state = runs ? "pause" : state.status === "halted" ? "again" : "play";
    this.play.ariaLabel = runs ? "Pause" : state.status === "halted" ? "Play again" : "Play";
    setText(byId("pace"), state.pace);
    const results = state.results.join();
    // While the machine runs, more results will follow soon.
    const isDue = !runs || performance.now() - this.listedAt > RESULTS;
    if (results !== this.results && isDue) {
      [this.results, this.listedAt] = [results, performance.now()];
      this.film.results = this.machine.ask("results");
      this.showResults(this.film.results);
    }
    this.film.show(state);
    this.markResults(state);
    // An unfinished line changes with each character, so show it only when the machine is paused.
    setText(byId("printed"), !runs && state.unfinished ? `Printed: ${state.unfinished}` : "");
    if (state.lines !== this.printed) this.showOutput(state);
  }

  /** Says so if the program runs on and nothing changes. */
  private watchLoop({ leds, lines, unfinished, now, status }: MachineState): void {
    const shown = `${keyOf(leds)} ${lines} ${unfinished.length}`;
    const { still } = this;
    if (shown !== still.shown || now < still.since) {
      if (still.isSaid) this.note.sayHere("");
      this.still = { shown, since: now, isSaid: false };
    } else if (status === "running" && !still.isSaid && now - still.since >= STILL) {
      still.isSaid = true;
      this.note.sayHere("In 100 million instructions, no change was seen on the panel. Is this loop on purpose?");
    }
  }

  private showResults(results: PrintedResult[]): void {
    byId("results-section").hidden = results.length === 0;
    const list = byId("results");
    const before = this.boards;
    this.boards = new Map();
    for (const result of results) {
      const known = before.get(result.moment);
      const board = known?.result.text === result.text ? known : this.makeBoard(result);
      if (board === known) before.delete(result.moment);
      else list.append(board.item);
      this.boards.set(result.moment, board);
    }
    this.stopAt(list.querySelector<HTMLElement>('[tabindex="0"]') ?? list.querySelector("button"));
    // These results were thinned out, or belong to a discarded future.
    for (const { item } of before.values()) {
      this.visible.unobserve(item);
      item.remove();
    }
    const [first, second] = results;
    const every = first && second ? second.line - first.line : 1;
    const rules = [
      every > 1 ? `Of older results, one in ${every} is kept.` : "",
      first && isBoard(first.text) ? `Each digit is the queen's column in a row, ${countsFrom(first.text)}.` : "",
    ];
    setText(byId("results-rule"), rules.filter(Boolean).join(" "));
  }

  private makeBoard(result: PrintedResult): Board {
    const canvas = make("canvas", { ariaHidden: "true" });
    const button = make("button", { tabIndex: -1, title: result.text }, canvas, make("span", {}, result.text));
    button.addEventListener("click", () => {
      this.machine.ask("seek", result.moment);
      byId("panel").scrollIntoView({ block: "nearest" });
      this.changed();
    });
    const item = make("li", {}, button);
    item.dataset.moment = String(result.moment);
    this.visible.observe(item);
    return { result, item, button, canvas };
  }

  /** Makes a result the one that the Tab key selects. */
  private stopAt(button: HTMLElement | null): void {
    const before = byId("results").querySelector<HTMLElement>('[tabindex="0"]');
    if (before) before.tabIndex = -1;
    if (button) button.tabIndex = 0;
  }

  /** Moves from result to result by arrow keys. */
  private moveFocus(event: KeyboardEvent): void {
    // After a click on a result, the arrow keys are still for the page.
    if (!isFocusedByKey(event.target as Element)) return;
    const buttons = [...byId("results").querySelectorAll("button")];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const top = buttons[0]?.offsetTop;
    const columns = buttons.filter(({ offsetTop }) => offsetTop === top).length;
    const to = {
      ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns,
      Home: 0, End: buttons.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = buttons[to];
    if (!next) return;
    this.stopAt(next);
    next.focus();
  }

  /** Marks the current result, and fades those that are in the future. */
  private markResults({ now, lines, results: [, count], isWhole }: MachineState): void {
    for (const [moment, { button }] of this.boards) {
      const isAhead = moment > now;
      if (button.classList.contains("ahead") !== isAhead) button.classList.toggle("ahead", isAhead);
    }
    const present = this.boards.get(now);
    if (present !== this.marked) {
      this.marked?.button.removeAttribute("aria-current");
      present?.button.setAttribute("aria-current", "true");
      const isInUse = document.activeElement?.closest("#results") !== null;
      if (present && !isInUse) this.stopAt(present.button);
      this.marked = present;
    }
    const [past, all] = [lines, count].map((n) => n.toLocaleString("en"));
    setText(byId("results-count"), isWhole ? `${past} of ${all}` : `${past}`);
  }

  /** Returns a printed line as screen readers say it: `solution 3: 1 7 4 6 8 2 5 3`. */
  private name(line: string, number: number): string {
    // One digit a row. Read as a number, it would make no sense.
    const text = isBoard(line)
      ? `${[...line].join(" ")}, the column in each row, ${countsFrom(line)}` : line;
    return `${this.machine.about.result} ${number}: ${text}`;
  }

  private showOutput(state: MachineState): void {
    this.printed = state.lines;
    const shown = this.machine.ask("output").slice(-20);
    setText(byId("last"), shown.at(state.unfinished ? -2 : -1) ?? "");
    const first = state.lines - shown.length + (state.unfinished ? 2 : 1);
    const said = shown.map((line, n) => make("div", {}, this.name(line, first + n)));
    this.log.replaceChildren(...said);
  }
}

/** Returns true for a line that has the column of a queen for each row. */
const isBoard = (line: string) => /^[0-8]{8}$/.test(line) && new Set(line).size === 8;
const countsFrom = (line: string) => (line.includes("0") ? "from 0" : "from 1");

function swatch(led: Led): HTMLElement {
  const dot = make("span", { className: "dot", ariaHidden: "true" });
  dot.style.background = COLOURS[led];
  return dot;
}
