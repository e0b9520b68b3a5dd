// The LEDs: large and round on the panel, and as small boards.

import { byId, make, pen } from "./dom";
import type { Display, Led } from "./protocol";

export const COLOURS: Record<Led, string> = {
  dark: "#2b2b2b",
  // Each differs in brightness from the others, for eyes that do not see red or green.
  green: "#2cc47b",
  red: "#d9140b",
  yellow: "#ffe866",
};
export const PANEL = "#121212";
/** How long a finger or the mouse stays on an LED for a long press, in milliseconds. */
const LONG_PRESS = 450;
const NAMES: Led[] = ["dark", "green", "red", "yellow"];

/** The colour of an LED. */
export function ledAt(leds: Display, row: number, column: number): Led {
  const green = ((leds.green[row] ?? 0) >> column) & 1;
  const red = ((leds.red[row] ?? 0) >> column) & 1;
  return NAMES[green + 2 * red] ?? "dark";
}

/** A small board of LEDs in letters, as tests write them; those that are not the expected ones are
 * ringed. A `?` is not looked at. */
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

/** A text that is the same for the same LEDs. */
export function keyOf(leds: Display): string {
  return leds.green.join() + ";" + leds.red.join();
}

/** Draws a small board at a place. */
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

/** The panel with the LEDs. On it lies a table without colours, which a mouse, a finger and the
 * arrow keys choose an LED from, and which screen readers read. */
export class Panel {
  private readonly canvas = byId<HTMLCanvasElement>("leds");
  private readonly cells: HTMLTableCellElement[] = [];
  private readonly words: HTMLElement[] = [];
  private drawn = "";
  /** The LEDs that are on the canvas. */
  private lit: Led[] = [];
  private side = 0;
  private told = "";
  private toldAt = 0;
  /** The program's words for the colours. */
  private meanings: Partial<Record<Led, string>> = {};
  /** The timer of a press, and whether that was long. */
  private press = 0;
  private isLong = false;

  /** With what is done when an LED is chosen: by a short tap, or by a long press or a key. */
  constructor(
    private readonly chosen: (
      row: number, column: number, cell: HTMLElement, isTap: boolean,
    ) => void,
  ) {
    const body = byId("led-table");
    for (let row = 0; row < 8; row++) {
      // In some browsers the layout as a grid takes the roles of the tags away.
      const head = make("th", { role: "rowheader", className: "unseen" }, `row ${row + 1}`);
      const line = make("tr", { role: "row" }, head);
      for (let column = 0; column < 8; column++) {
        const word = make("span", { className: "unseen" }, "dark");
        const cell = make("td", { role: "gridcell", tabIndex: row + column === 0 ? 0 : -1 }, word);
        cell.addEventListener("click", () => this.isLong || this.chosen(row, column, cell, true));
        cell.addEventListener("pointerdown", ({ button }) => {
          clearTimeout(this.press);
          this.isLong = false;
          if (button !== 0) return;
          this.press = setTimeout(() => {
            this.isLong = true;
            this.chosen(row, column, cell, false);
          }, LONG_PRESS);
        });
        this.cells.push(cell);
        this.words.push(word);
        line.append(cell);
      }
      body.append(line);
    }
    for (const end of ["pointerup", "pointerout", "pointercancel"]) {
      body.addEventListener(end, () => clearTimeout(this.press));
    }
    body.addEventListener("contextmenu", (event) => this.isLong && event.preventDefault());
    // The arrow keys remain the program's, or the film's, after a tap.
    body.addEventListener("mousedown", (event) => event.preventDefault());
    body.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(([entry]) => {
      this.side = entry?.contentRect.width ?? 0;
      [this.drawn, this.lit] = ["", []];
    }).observe(this.canvas);
  }

  /** Shows the LEDs, of a machine that runs or stands. */
  show(leds: Display, runs: boolean): void {
    const key = keyOf(leds);
    if (key !== this.drawn && this.side > 0) {
      this.drawn = key;
      this.draw(leds);
    }
    // A table that changes thirty times a second is of no use.
    if (key !== this.told && (!runs || performance.now() - this.toldAt > 500)) {
      [this.told, this.toldAt] = [key, performance.now()];
      this.words.forEach((word, n) => {
        const led = ledAt(leds, n >> 3, n & 7);
        word.textContent = this.meanings[led] ?? led;
      });
    }
  }

  /** Names the colours as the program's legend does. */
  name(legend: [Led, string][]): void {
    this.meanings = Object.fromEntries(legend);
    this.told = "";
  }

  /** Rings the squares that an answer speaks of. */
  ring(squares: [number, number][]): void {
    this.cells.forEach((cell) => delete cell.dataset.told);
    for (const [row, column] of squares) this.cells[row * 8 + column]!.dataset.told = "";
  }

  /** The arrow keys go from LED to LED, where one has the focus; `Enter` chooses it. */
  private key(event: KeyboardEvent): void {
    const at = this.cells.indexOf(event.target as HTMLTableCellElement);
    const [row, column] = [at >> 3, at & 7];
    const steps: Record<string, number> = {
      ArrowLeft: column > 0 ? -1 : 0, ArrowRight: column < 7 ? 1 : 0,
      ArrowUp: row > 0 ? -8 : 0, ArrowDown: row < 7 ? 8 : 0,
      Home: -column, End: 7 - column, Enter: 0,
    };
    const step = steps[event.key];
    const [cell, next] = [this.cells[at], this.cells[at + (step ?? 0)]];
    if (step === undefined || !cell || !next) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") return this.chosen(row, column, cell, false);
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  /** Draws the LEDs that have changed. The glow of each ends where the place of the next begins. */
  private draw(leds: Display): void {
    const { side, canvas: { width } } = this;
    const context = pen(this.canvas, side, side);
    if (width !== this.canvas.width) this.lit = [];
    drawPanel(context, leds, side, this.lit);
  }
}

/** Draws the LEDs of the panel; with those that are drawn already, only the others. */
export function drawPanel(
  context: CanvasRenderingContext2D, leds: Display, side: number, lit?: Led[],
): void {
  // As on the machine: LEDs of 5 mm, a little less than their grid apart.
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
