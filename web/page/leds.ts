// Draws the LEDs: large and round on the panel, and as small boards.

import { byId, make, pen } from "./dom";
import { moveInGrid } from "./keys";
import type { Display, Led } from "./protocol";

export const COLOURS: Record<Led, string> = {
  dark: "#2b2b2b",
  // The colours also differ in brightness, for people who cannot distinguish red and green.
  green: "#2cc47b",
  red: "#d9140b",
  yellow: "#ffe866",
};
export const PANEL = "#121212";
/** The duration of a long press on an LED, in milliseconds. */
const LONG_PRESS = 450;
const NAMES: Led[] = ["dark", "green", "red", "yellow"];

/** Returns the colour of an LED. */
export function ledAt(leds: Display, row: number, column: number): Led {
  const green = ((leds.green[row] ?? 0) >> column) & 1;
  const red = ((leds.red[row] ?? 0) >> column) & 1;
  return NAMES[green + 2 * red] ?? "dark";
}

/** Returns the letters of LEDs in the format of test files, row by row. */
export function lettersOf(leds: Display): string {
  const letters = { dark: ".", green: "G", red: "R", yellow: "Y" };
  const eight = [0, 1, 2, 3, 4, 5, 6, 7];
  return eight.map((row) => eight.map((it) => letters[ledAt(leds, row, it)]).join(" ")).join("\n");
}

/** Creates a small board from letters in the format of test files. LEDs that differ from `expected`
 * have a ring. A `?` in `expected` matches any LED. */
export function letteredBoard(title: string, letters: string, expected: string): HTMLElement {
  const side = 96;
  const rows = letters.split("\n").map((row) => row.split(" "));
  const byte = (row: string[], lit: string) =>
    row.reduce((sum, led, column) => sum + (lit.includes(led) ? 1 << column : 0), 0);
  const leds = { green: rows.map((row) => byte(row, "GY")), red: rows.map((row) => byte(row, "RY")) };
  const canvas = make("canvas", { role: "img", ariaLabel: `${title}: ${letters}` });
  const context = pen(canvas, side, side);
  drawBoard(context, leds, 0, 0, side);
  context.strokeStyle = "#ffffff";
  context.lineWidth = 1.5;
  expected.split("\n").forEach((line, row) => line.split(" ").forEach((led, column) => {
    if (led === "?" || led === rows[row]?.[column]) return;
    context.beginPath();
    context.arc((side / 9) * (column + 1), (side / 9) * (row + 1), side / 18, 0, 2 * Math.PI);
    context.stroke();
  }));
  return make("figure", {}, canvas, make("figcaption", {}, title));
}

/** Returns a string that is equal for equal LEDs. */
export function keyOf(leds: Display): string {
  return leds.green.join() + ";" + leds.red.join();
}

/** Draws a small board at a position. */
export function drawBoard(
  context: CanvasRenderingContext2D,
  leds: Display,
  x: number,
  y: number,
  side: number,
): void {
  context.fillStyle = PANEL;
  context.beginPath();
  context.roundRect(x, y, side, side, side / 14);
  context.fill();
  const step = side / 9;
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const led = ledAt(leds, row, column);
      context.fillStyle = COLOURS[led];
      context.beginPath();
      const radius = step * (led === "dark" ? 0.22 : 0.42);
      context.arc(x + step * (column + 1), y + step * (row + 1), radius, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

/** The panel with the LEDs. An invisible table covers it. The mouse, a finger or the arrow keys
 * select an LED in it, and screen readers read it. */
export class Panel {
  private readonly canvas = byId<HTMLCanvasElement>("leds");
  private readonly cells: HTMLTableCellElement[] = [];
  private readonly labels: HTMLElement[] = [];
  private drawn = "";
  /** The LEDs that the canvas shows. */
  private lit: Led[] = [];
  private side = 0;
  private announced = "";
  private announcedAt = 0;
  /** The program's meanings of the colours. */
  private legend: [Led, string][] = [];
  private meanings: Partial<Record<Led, string>> = {};
  /** The timer for a long press, and whether the press was long. */
  private press = 0;
  private isLong = false;

  /** `chosen` is called for a short tap on an LED (then `isTap` is true), a long press, or `Enter`.
   * */
  constructor(
    private readonly chosen: (
      row: number, column: number, cell: HTMLElement, isTap: boolean,
    ) => void,
  ) {
    const body = byId("led-table");
    for (let row = 0; row < 8; row++) {
      // In some browsers, the grid layout removes the roles of the table's elements.
      const head = make("th", { role: "rowheader", className: "unseen" }, `row ${row}`);
      const line = make("tr", { role: "row" }, head);
      for (let column = 0; column < 8; column++) {
        const label = make("span", { className: "unseen" }, "dark");
        const cell = make("td", { role: "gridcell", tabIndex: row + column === 0 ? 0 : -1 }, label);
        this.cells.push(cell);
        this.labels.push(label);
        line.append(cell);
      }
      body.append(line);
    }
    body.addEventListener("click", (event) => this.isLong || this.choose(this.cellAt(event), true));
    body.addEventListener("pointerdown", (event) => {
      clearTimeout(this.press);
      this.isLong = false;
      if (event.button !== 0) return;
      const cell = this.cellAt(event);
      this.press = setTimeout(() => {
        this.isLong = true;
        this.choose(cell, false);
      }, LONG_PRESS);
    });
    for (const end of ["pointerup", "pointerout", "pointercancel"]) {
      body.addEventListener(end, () => clearTimeout(this.press));
    }
    body.addEventListener("contextmenu", (event) => this.isLong && event.preventDefault());
    // After a tap, the arrow keys are still for the program or the film strip.
    body.addEventListener("mousedown", (event) => event.preventDefault());
    body.addEventListener("keydown", (event) => this.handleKey(event));
    new ResizeObserver(([entry]) => {
      this.side = entry?.contentRect.width ?? 0;
      [this.drawn, this.lit] = ["", []];
    }).observe(this.canvas);
  }

  /** Returns the cell of a tap, or the nearest one if it was between LEDs. */
  private cellAt({ target, clientX, clientY }: MouseEvent): HTMLTableCellElement | undefined {
    const cell = (target as Element).closest("td");
    if (cell) return cell;
    const { left, top, width, height } = byId("led-table").getBoundingClientRect();
    const [x, y] = [(clientX - left) / width, (clientY - top) / height];
    const [column, row] = [x, y].map((part) => Math.min(7, Math.max(0, Math.floor(8 * part))));
    return this.cells[8 * row! + column!];
  }

  private choose(cell: HTMLTableCellElement | undefined, isTap: boolean): void {
    const at = this.cells.indexOf(cell!);
    if (cell) this.chosen(at >> 3, at & 7, cell, isTap);
  }

  /** Shows the LEDs of a machine. `runs` is true if it is not paused. */
  show(leds: Display, runs: boolean): void {
    const key = keyOf(leds);
    if (key !== this.drawn && this.side > 0) {
      this.drawn = key;
      this.draw(leds);
    }
    // Update the table slowly, because nobody can read it at thirty changes a second.
    if (key !== this.announced && (!runs || performance.now() - this.announcedAt > 500)) {
      [this.announced, this.announcedAt] = [key, performance.now()];
      this.labels.forEach((label, n) => {
        const led = ledAt(leds, n >> 3, n & 7);
        label.textContent = this.meanings[led] ?? led;
      });
    }
  }

  /** Sets the meanings of the colours from the program's legend. */
  setMeanings(legend: [Led, string][]): void {
    if (legend === this.legend) return;
    this.legend = legend;
    this.meanings = Object.fromEntries(legend);
    this.announced = "";
  }

  /** Draws rings around the squares that an explanation mentions. */
  ring(squares: [number, number][]): void {
    this.cells.forEach((cell) => delete cell.dataset.ringed);
    for (const [row, column] of squares) this.cells[row * 8 + column]!.dataset.ringed = "";
  }

  /** Handles keys while an LED has the focus. Arrow keys move to other LEDs, and `Enter` selects
   * one. */
  private handleKey(event: KeyboardEvent): void {
    if (event.key !== "Enter") return moveInGrid(event, this.cells, 8);
    event.preventDefault();
    event.stopPropagation();
    this.choose(event.target as HTMLTableCellElement, false);
  }

  /** Draws the LEDs that have changed. Their glow is clipped so that it does not cover other
   * LEDs. */
  private draw(leds: Display): void {
    const { side, canvas: { width } } = this;
    const context = pen(this.canvas, side, side);
    if (width !== this.canvas.width) this.lit = [];
    drawPanel(context, leds, side, this.lit);
  }
}

/** Draws the LEDs of the panel. If `lit` is given, draws only the LEDs that differ from it. */
export function drawPanel(
  context: CanvasRenderingContext2D, leds: Display, side: number, lit?: Led[],
): void {
  // The proportions of the real panel: LEDs of 5 mm, with small gaps.
  const [margin, radius] = [side * 0.045, side * 0.0445];
  const step = (side - 2 * margin) / 8;
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const [n, led] = [8 * row + column, ledAt(leds, row, column)];
      const [x, y] = [margin + step * column, margin + step * row];
      if (lit) {
        if (led === lit[n]) continue;
        lit[n] = led;
        context.clearRect(x, y, step, step);
      }
      drawLed(context, led, x + step / 2, y + step / 2, radius);
    }
  }
}

function drawLed(
  context: CanvasRenderingContext2D,
  led: Led,
  x: number,
  y: number,
  radius: number,
): void {
  const disc = (r: number, style: string | CanvasGradient) => {
    context.fillStyle = style;
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.fill();
  };
  const colour = COLOURS[led];
  if (led === "dark") {
    disc(radius, "#070707");
    disc(radius * 0.93, colour);
  } else {
    const glow = context.createRadialGradient(x, y, radius * 0.6, x, y, radius * 1.28);
    glow.addColorStop(0, colour + "66");
    glow.addColorStop(1, colour + "00");
    disc(radius * 1.28, glow);
    disc(radius, colour);
  }
  const [dx, dy] = [x - radius * 0.35, y - radius * 0.4];
  const shine = context.createRadialGradient(dx, dy, 0, dx, dy, radius * 0.75);
  shine.addColorStop(0, led === "dark" ? "#ffffff1c" : "#ffffff80");
  shine.addColorStop(1, "#ffffff00");
  disc(radius, shine);
}
