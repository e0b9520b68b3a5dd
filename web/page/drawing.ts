// The board drawing: shows the state of chips and wires, and the details of the selected chip.

import { announce, byId, make, setText } from "./dom";
import type { Cell } from "./doubt";
import { isFocusedByKey } from "./keys";
import { LookupTable } from "./lookup";
import type { Machine } from "./machine";
import type { BoardReport, ChipDetails, MachineState } from "./protocol";

/** The pace at which the machine plays phase by phase. */
const PHASES = "1 phase/s";
/** The largest and the smallest zoom, and the factor for each key press. */
const [ZOOM_MAX, ZOOM_MIN, ZOOM_STEP] = [4, 1, 1.25];

export class Drawing {
  private readonly box = byId("drawing");
  private readonly view = byId("drawing-view");
  private readonly detail = byId("chip");
  /** The elements of the drawing, in the order of reports. */
  private bundles: Element[] = [];
  private labels: Element[] = [];
  private chips: Element[] = [];
  /** Whether a chip was opened and not announced yet, and the phase that was announced last. */
  private opens = false;
  private announced = "";
  /** The backgrounds of the labels, the values of wires and then of chips, and the actions of
   * chips. */
  private grounds: Element | null = null;
  private values: Element[] = [];
  private states: Element[] = [];
  private chosen: number | null = null;
  private readonly lookup: LookupTable;
  private zoom = 1;
  private phase = 0;
  /** True if a machine paused before an instruction shows a later phase in which a byte moves. */
  looksAhead = true;
  /** The distance of the two fingers of a pinch, and the zoom at its start. */
  private pinch: [distance: number, zoom: number] | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly send: (key: string) => void,
    private readonly changed: () => void,
  ) {
    this.lookup = new LookupTable(changed);
    const phases = byId("phases");
    for (let n = 0; n < 8; n++) {
      const title = `Phase ${n} of this instruction`;
      phases.append(make("button", { title, onclick: () => this.goTo(n) }, `T${n}`));
    }
    byId("tour-next").addEventListener("click", () => this.handleTourKey("ArrowRight"));
    byId("tour-back").addEventListener("click", () => this.handleTourKey("ArrowLeft"));
    byId("tour-end").addEventListener("click", () => this.handleTourKey("Escape"));
    document.addEventListener("keydown", (event) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isElsewhere = (target as HTMLElement).closest("input, select, .chip, .cm-editor");
      if (!byId("tour").checkVisibility() || isElsewhere || ctrlKey || metaKey || altKey) return;
      if (key === "Enter" && (target as HTMLElement).closest("button, summary, a")) return;
      if (!this.handleTourKey(key)) return;
      event.preventDefault();
      event.stopPropagation();
    }, true);
    byId("chip-close").addEventListener("click", () => this.closeDetails());
    this.view.addEventListener("click", ({ target }) => this.choose(this.numberOf(target)));
    this.box.addEventListener("keydown", (event) => this.handleKey(event));
    this.view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.setZoom(this.zoom * Math.exp(-event.deltaY / 200), event);
    }, { passive: false });
    this.view.addEventListener("touchmove", (event) => {
      const [one, two] = event.touches;
      if (!one || !two) return void (this.pinch = undefined);
      event.preventDefault();
      const distance = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
      this.pinch ??= [distance, this.zoom];
      const middle = { clientX: (one.clientX + two.clientX) / 2, clientY: (one.clientY + two.clientY) / 2 };
      this.setZoom(this.pinch[1] * (distance / this.pinch[0]), middle);
    }, { passive: false });
    for (const end of ["touchend", "touchcancel"]) {
      this.view.addEventListener(end, () => void (this.pinch = undefined));
    }
  }

  /** Shows the drawing of the machine's board. Returns false if there is none for this board. */
  open(): boolean {
    const svg = this.machine.ask("drawing");
    this.box.hidden = svg === null;
    if (svg === null) return false;
    const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    this.view.replaceChildren(drawn);
    const all = (name: string) => [...drawn.querySelectorAll(`.${name}`)];
    [this.bundles, this.labels, this.chips] = [all("bundle"), all("label"), all("chip")];
    this.grounds = drawn.querySelector(".grounds");
    [this.values, this.states] = [all("value"), all("state")];
    // Normalise the lengths of wires for the animation of a moving byte.
    for (const bundle of this.bundles) bundle.firstElementChild?.setAttribute("pathLength", "1");
    for (const [n, chip] of this.chips.entries()) {
      chip.setAttribute("role", "button");
      chip.setAttribute("tabindex", n === (this.chosen ?? 0) ? "0" : "-1");
    }
    this.choose(null);
    return true;
  }

  close(): void {
    this.box.hidden = true;
  }

  /** The picked cell of the chosen chip, or the one that it reads. */
  get cell(): Cell | undefined {
    const { chosen: chip, lookup: { cell } } = this;
    return chip === null || !cell ? undefined : { chip, ...cell };
  }

  /** Updates the labels and the colours of wires and chips. */
  draw({ status, pace }: MachineState): void {
    const plays = status === "running" && pace === PHASES;
    if (status === "running") this.looksAhead = !plays;
    const report = this.machine.ask("wires", this.chosen, this.looksAhead, this.lookup.view);
    if (!report) return;
    this.phase = report.present;
    const isPreview = report.phase !== report.present;
    for (const [n, button] of [...byId("phases").children].entries()) {
      button.setAttribute("aria-pressed", String(n === this.phase));
      button.classList.toggle("past", n <= this.phase);
      button.classList.toggle("preview", isPreview && n === report.phase);
    }
    setText(byId("play-phases"), plays ? "❚❚ T by T" : "▶ T by T");
    setText(byId("preview"), isPreview
      ? `The machine waits at T${report.present}. The picture shows T${report.phase}, where a byte moves.` : "");
    setText(byId("instruction"), report.instruction);
    setText(byId("sentence"), report.sentence);
    // IRH takes the opcode in T2.
    const idle = report.phase < 2 ? "IRH still holds the opcode of the previous instruction"
      : "no chip takes a byte";
    setText(byId("paths"), report.paths.join(", ") || idle);
    report.bundles.forEach((mark, n) => {
      const bundle = this.bundles[n];
      if (!bundle) return;
      // The path of a byte covers other wires.
      if (mark.isOnPath && !bundle.classList.contains("way")) this.grounds?.before(bundle);
      colour(bundle, mark);
    });
    report.labels.forEach(({ value, hasMoved }, n) => {
      setText(this.values[n], value);
      colour(this.labels[n], { hasMoved, isOnPath: false });
    });
    report.chips.forEach(({ name, value, action, mark }, n) => {
      const chip = this.chips[n];
      setText(this.values[report.labels.length + n], value);
      setText(this.states[n], action);
      colour(chip, mark);
      const label = `${name}: ${value}${action && `, ${action}`}${mark.hasMoved ? ", moved" : ""}`;
      if (chip && chip.ariaLabel !== label) chip.ariaLabel = label;
    });
    if (report.chosen) this.showDetails(report.chosen);
    this.announce(report, status === "running");
    this.showTour(report.tour);
  }

  /** Handles a key of the tour, or the key that a button of the tour stands for. Returns true if
   * the tour uses this key. */
  private handleTourKey(key: string): boolean {
    const isNext = key === "ArrowRight" || key === "Enter";
    if (key === "Escape" || (isNext && this.phase === 7)) this.send("F");
    else if (isNext) this.send("p");
    else if (key !== "ArrowLeft") return false;
    else if (this.phase > 0) this.send("P");
    return true;
  }

  private showTour(sentence: string | null): void {
    const [box, text, next] = [byId("tour"), byId("tour-sentence"), byId("tour-next")];
    if (text.textContent === (sentence ?? "")) return;
    const hadFocus = box.contains(document.activeElement);
    const begins = box.hidden;
    box.hidden = sentence === null;
    setText(text, sentence ?? "");
    setText(next, this.phase === 7 ? "End" : "Next");
    // The whole board is too small to read on a phone, so zoom in. The tour shows where the byte
    // goes.
    if (begins || box.hidden) this.setZoom(!box.hidden && this.view.clientWidth < 600 ? 2 : 1);
    if (box.hidden) return void (hadFocus && byId("play-phases").focus());
    if (begins) next.focus({ preventScroll: true });
    this.centre(this.chips.findLast((chip) => chip.classList.contains("way")) ?? this.chips[0]);
  }

  /** Scrolls the drawing so that a chip is in its middle. */
  private centre(chip: Element | undefined): void {
    if (!chip) return;
    const [at, frame] = [chip, this.view].map((it) => it.getBoundingClientRect()) as [DOMRect, DOMRect];
    this.view.scrollLeft += at.left + at.width / 2 - frame.left - frame.width / 2;
    this.view.scrollTop += at.top + at.height / 2 - frame.top - frame.height / 2;
  }

  /** Announces a chip that was opened, and each phase of a paused machine unless a tour does. */
  private announce({ chosen, present, sentence, instruction, tour }: BoardReport, runs: boolean): void {
    const phase = `T${present}: ${sentence || instruction}`;
    if (chosen && this.opens) {
      announce(`${chosen.title}. ${chosen.purpose}`);
    } else if (phase !== this.announced && !runs && !tour) {
      announce(phase);
    }
    [this.opens, this.announced] = [false, phase];
  }

  private showDetails({ title, purpose, why, pins, lookup, fixed }: ChipDetails): void {
    setText(byId("chip-name"), title);
    setText(byId("chip-purpose"), purpose);
    setText(byId("chip-why"), why);
    this.lookup.show(title, lookup);
    byId("change").hidden = fixed !== "" || !lookup;
    setText(byId("chip-fixed"), lookup ? fixed : "");
    const rows = byId("chip-pins");
    const half = pins.length / 2;
    while (rows.children.length > half) rows.lastElementChild?.remove();
    while (rows.children.length < half) {
      rows.append(make("tr", {}, ...Array.from({ length: 4 }, () => make("td"))));
    }
    // Use two columns in the order of DIP pins: pin 1 at the upper left, the last pin opposite.
    for (let n = 0; n < half; n++) {
      const cells = [...(rows.children[n]?.children ?? [])] as HTMLElement[];
      const sides = [pins[n], pins[pins.length - 1 - n]];
      sides.forEach((pin, side) => {
        const [wire, name] = side ? [cells[3], cells[2]] : [cells[0], cells[1]];
        if (!pin || !wire || !name) return;
        const level = pin.level === null ? "" : pin.level ? " 1" : " 0";
        setText(wire, pin.wire + level);
        wire.classList.toggle("moved", pin.hasMoved);
        setText(name, side ? `${pin.number} ${pin.name}` : `${pin.name} ${pin.number}`);
      });
    }
  }

  private numberOf(target: EventTarget | null): number | null {
    const chip = (target as Element | null)?.closest(".chip");
    return chip ? this.chips.indexOf(chip) : null;
  }

  /** Shows the details of a chip. The same chip again, or null, closes them. */
  private choose(chip: number | null): void {
    this.chosen = chip === this.chosen ? null : chip;
    this.lookup.reset();
    this.chips.forEach((element, n) => {
      element.setAttribute("aria-pressed", String(n === this.chosen));
      if (this.chosen !== null) element.setAttribute("tabindex", n === this.chosen ? "0" : "-1");
    });
    this.detail.hidden = this.chosen === null;
    this.opens = this.chosen !== null;
    this.changed();
    if (this.chosen !== null) {
      // The drawing becomes narrower for the table of the chip.
      requestAnimationFrame(() => requestAnimationFrame(() => this.centre(this.chips[this.chosen ?? -1])));
    }
  }

  /** Closes the details when a key or their button was used, and returns the focus to the chip. */
  private closeDetails(): void {
    const chip = this.chips[this.chosen ?? 0] as SVGElement | undefined;
    this.choose(null);
    chip?.focus();
  }

  /** Goes to a phase of the current instruction. */
  private goTo(phase: number): void {
    this.looksAhead = false;
    for (let n = this.phase; n < phase; n++) this.send("p");
    for (let n = this.phase; n > phase; n--) this.send("P");
  }

  private handleKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // After a tap on a chip, keys are still for the page.
    const at = isFocusedByKey(event.target as Element) ? this.numberOf(event.target) : null;
    const zoom = { "+": ZOOM_STEP, "-": 1 / ZOOM_STEP }[event.key];
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (zoom) this.setZoom(this.zoom * zoom);
    else if (step && at !== null) {
      const next = this.chips.at((at + step) % this.chips.length) as SVGElement | undefined;
      this.chips.forEach((chip) => chip.setAttribute("tabindex", chip === next ? "0" : "-1"));
      next?.focus();
    } else if ((event.key === "Enter" || event.key === " ") && at !== null) this.choose(at);
    else if (event.key === "Escape" && this.chosen !== null) this.closeDetails();
    else if (event.key === "p" || event.key === "P" || event.key === "A") this.send(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Sets the zoom. The point `at` stays where it is on the screen. */
  private setZoom(zoom: number, at?: { clientX: number; clientY: number }): void {
    const box = this.view.getBoundingClientRect();
    const x = at ? at.clientX - box.left : box.width / 2;
    const y = at ? at.clientY - box.top : box.height / 2;
    const before = this.zoom;
    this.zoom = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom));
    this.view.style.setProperty("--zoom", String(this.zoom));
    const factor = this.zoom / before;
    this.view.scrollLeft = (this.view.scrollLeft + x) * factor - x;
    this.view.scrollTop = (this.view.scrollTop + y) * factor - y;
  }
}

function colour(element: Element | undefined, mark: { hasMoved: boolean; isOnPath: boolean }): void {
  element?.classList.toggle("moved", mark.hasMoved);
  element?.classList.toggle("way", mark.isOnPath);
}
