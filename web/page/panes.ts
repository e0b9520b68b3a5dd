// The panes of the terminal front end on a canvas, with their keys, mouse and touch input.

import { byId, make, pen, setText } from "./dom";
import { Drawing } from "./drawing";
import { isTyped } from "./keys";
import type { Machine } from "./machine";
import type { Note } from "./note";
import type { MachineState, MouseKind, PaneRequests } from "./protocol";

/** The minimum size of the screen, in cells. In a smaller window, it scrolls. */
const COLUMNS_MIN = 40;
const ROWS_MIN = 24;
const FONT_SIZE = 13;
/** The horizontal and the vertical margin around the cells together, in pixels. */
const MARGIN = 16;
const FONT = '"DejaVu Sans Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace';
const [BOLD, UNDERLINED, REVERSED] = [1, 2, 4];
/** Keys for the page and not for the panes, such as Tab to move the focus. */
const PAGE_KEYS = ["Tab", "Shift", "Control", "Alt", "AltGraph", "Meta", "Dead", "Process"];

interface Cell {
  font: number;
  width: number;
  height: number;
  /** The baseline of letters in the cell. */
  base: number;
}

/** Returns the size of a cell for a font size. */
function cellOf(font: number): Cell {
  const context = pen(make("canvas"), 1, 1);
  context.font = `${font}px ${FONT}`;
  // Round to device pixels, so that there are no gaps between cells.
  const whole = (size: number) => Math.round(size * devicePixelRatio) / devicePixelRatio;
  const width = whole(context.measureText("M").width);
  return { font, width, height: whole(font * 1.24), base: Math.round(font * 0.98) };
}

export interface Events {
  changed(): void;
  leave(): void;
  opened(program: string): void;
  edit(file: string, line: number): void;
}

export class Panes {
  private readonly canvas = byId<HTMLCanvasElement>("panes");
  private readonly text = byId("panes-text");
  private columns = 0;
  private rows = 0;
  private readonly cell = cellOf(FONT_SIZE);
  /** The cells that the canvas shows. */
  private painted = new Uint32Array();
  private textAt = 0;
  private pane = "source";
  readonly drawing: Drawing;
  /** True if the board is shown as a drawing, and not as a pane in letters. */
  private draws = false;
  /** The last message of the panes. */
  private said: string | null = null;
  private notedAt = 0;
  isOpen = false;

  constructor(
    private readonly machine: Machine,
    private readonly note: Note,
    private readonly events: Events,
  ) {
    this.drawing = new Drawing(machine, (key) => this.send(key), () => events.changed());
    this.canvas.addEventListener("keydown", (event) => this.handleKey(event));
    this.canvas.addEventListener("pointerdown", (event) => this.sendPointer("press", event));
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1 && event.pointerType === "mouse") this.sendPointer("drag", event);
    });
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.sendPointer(event.deltaY > 0 ? "wheelDown" : "wheelUp", event);
    }, { passive: false });
    for (const tab of document.querySelectorAll<HTMLButtonElement>("[data-pane]")) {
      tab.addEventListener("click", () => this.showPane(tab.dataset.pane ?? ""));
    }
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-key]")) {
      button.addEventListener("click", () => this.send(button.dataset.key ?? ""));
    }
    // A hidden frame has no size.
    new ResizeObserver(() => this.isOpen && !this.draws && this.resize()).observe(byId("panes-frame"));
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.reopen());
  }

  open(pane: string): void {
    [this.isOpen, this.columns] = [true, 0];
    this.showPane(pane);
  }

  /** Starts the tour of a byte in the board pane. */
  follow(): void {
    if (byId("tour").hidden) this.send("F");
  }

  /** Shows the same pane after another program was loaded. */
  reopen(): void {
    if (!this.isOpen) return;
    this.open(this.pane);
    // The reason for its stop at the moment of a link is no news.
    this.said = this.machine.ask("note")?.text ?? null;
  }

  private showPane(pane: string): void {
    this.pane = pane;
    for (const tab of document.querySelectorAll<HTMLButtonElement>("[data-pane]")) {
      tab.setAttribute("aria-pressed", String(tab.dataset.pane === pane));
    }
    this.canvas.ariaLabel = `The machine's ${pane}, as in the terminal`;
    this.textAt = 0;
    byId("panes-frame").hidden = false;
    this.resize();
    this.machine.ask("pane", pane);
    this.draws = pane === "board" && this.drawing.open();
    this.drawing.looksAhead = true;
    if (!this.draws) this.drawing.close();
    byId("panes-frame").hidden = byId("keys").hidden = this.draws;
    if (this.draws) setText(this.text, "");
    this.events.changed();
  }

  private resize(): void {
    const frame = byId("panes-frame");
    const { width, height } = this.cell;
    const columns = Math.max(COLUMNS_MIN, Math.floor((frame.clientWidth - MARGIN) / width));
    const rows = Math.max(ROWS_MIN, Math.floor((frame.clientHeight - MARGIN) / height));
    if (columns === this.columns && rows === this.rows) return;
    [this.columns, this.rows] = [columns, rows];
    this.painted = new Uint32Array();
    this.canvas.style.width = `${columns * width}px`;
    this.canvas.style.height = `${rows * height}px`;
    const light = matchMedia("(prefers-color-scheme: light)").matches;
    this.machine.ask("resize", columns, rows, light);
    this.machine.ask("pane", this.pane);
  }

  draw(state: MachineState): void {
    if (!this.isOpen) return;
    if (this.draws) this.drawing.draw(state);
    else this.paint();
    const { text: note = null, isReason = false, printed = null } = this.machine.ask("note") ?? {};
    if (note !== this.said || (printed !== null && state.now !== this.notedAt)) {
      this.notedAt = state.now;
      // A sentence comes first, and the words of the debugger are folded.
      if (printed !== null) this.note.say(`Printed: ${printed}`);
      else if (note !== null && isReason) this.note.fold(state.caption, note);
      else this.note.say(note ?? "");
    }
    this.said = note;
  }

  private paint(): void {
    const words = this.machine.draw();
    const { columns, rows, cell } = this;
    const context = pen(this.canvas, columns * cell.width, rows * cell.height);
    const isWhole = this.painted.length === 0;
    const count = columns * rows * 4;
    // Round LEDs cover several cells, so repaint these cells together with the LED.
    const dirty = new Set<number>();
    for (let at = 0; at < count; at += 4) {
      if (isWhole || [0, 1, 2, 3].some((n) => words[at + n] !== this.painted[at + n])) {
        dirty.add(at / 4);
      }
    }
    const spots: number[][] = [];
    for (let at = count; at < words.length; at += 5) {
      const spot = [...words.subarray(at, at + 5)];
      const changed = isWhole || spot.some((n, k) => n !== this.painted[at + k]);
      const [x, y, w, h] = spot as [number, number, number, number];
      const under: number[] = [];
      for (let row = y >> 1; row < (y + h + 1) >> 1; row++) {
        for (let column = x >> 1; column < (x + w + 1) >> 1; column++) {
          under.push(row * columns + column);
        }
      }
      if (changed || under.some((n) => dirty.has(n))) {
        under.forEach((n) => dirty.add(n));
        spots.push(spot);
      }
    }
    for (const n of dirty) this.paintCell(context, n, words);
    for (const spot of spots) this.paintSpot(context, spot);
    this.painted = words.slice();
    if (performance.now() - this.textAt > 1000) {
      this.textAt = performance.now();
      setText(this.text, this.machine.ask("text").join("\n"));
    }
  }

  private paintCell(context: CanvasRenderingContext2D, n: number, words: Uint32Array): void {
    const { width, height, base, font } = this.cell;
    const [x, y] = [(n % this.columns) * width, Math.floor(n / this.columns) * height];
    const [symbol = 32, fore = 0, back = 0, bits = 0] = words.subarray(4 * n, 4 * n + 4);
    const [ink, paper] = bits & REVERSED ? [back, fore] : [fore, back];
    context.fillStyle = colour(paper);
    context.fillRect(x, y, width, height);
    context.fillStyle = colour(ink);
    if (bits & UNDERLINED) context.fillRect(x, y + height - 2, width, 1);
    if (symbol === 32) return;
    context.font = `${bits & BOLD ? "bold " : ""}${font}px ${FONT}`;
    context.fillText(String.fromCodePoint(symbol), x, y + base);
  }

  private paintSpot(context: CanvasRenderingContext2D, spot: number[]): void {
    const [x, y, w, h, rgb] = spot as [number, number, number, number, number];
    const [width, height] = [this.cell.width / 2, this.cell.height / 2];
    context.fillStyle = "#121212";
    context.fillRect(x * width, y * height, w * width, h * height);
    context.fillStyle = colour(rgb);
    context.beginPath();
    const radius = 0.38 * Math.min(w * width, h * height);
    context.arc((x + w / 2) * width, (y + h / 2) * height, radius, 0, 2 * Math.PI);
    context.fill();
  }

  private handleKey(event: KeyboardEvent): void {
    const { key, metaKey, isComposing } = event;
    const [control, alt] = isTyped(event) ? [false, false] : [event.ctrlKey, event.altKey];
    const isOfBrowser = metaKey || (control && key.toLowerCase() !== "c");
    if (isOfBrowser || isComposing || PAGE_KEYS.includes(key)) return;
    event.preventDefault();
    this.send(key, control, alt);
  }

  private send(key: string, control = false, alt = false): void {
    // After one of these keys, show the current phase of the machine instead of a later one.
    this.drawing.looksAhead = !["p", "P", "A", "F"].includes(key);
    this.carryOut(this.machine.ask("key", key, control, alt));
    this.textAt = 0;
  }

  private carryOut({ leaves, opens, edits }: PaneRequests): void {
    if (opens !== null) this.events.opened(opens);
    if (edits) this.events.edit(...edits);
    if (leaves) this.events.leave();
    this.events.changed();
  }

  private sendPointer(kind: MouseKind, event: MouseEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left) / this.cell.width);
    const y = Math.floor((event.clientY - box.top) / this.cell.height);
    if (x < 0 || y < 0 || x >= this.columns || y >= this.rows) return;
    this.carryOut(this.machine.ask("mouse", kind, x, y));
  }
}

function colour(rgb: number): string {
  return "#" + (rgb & 0xffffff).toString(16).padStart(6, "0");
}
