// The LEDs: large and round on the panel, and as small boards.

import { byId, make, pen } from "./dom";
import type { Led, Leds } from "./protocol";

export const COLOURS: Record<Led, string> = {
  dark: "#2b2b2b",
  green: "#5fff87",
  red: "#e61e14",
  yellow: "#ffd700",
};
const PANEL = "#121212";
const NAMES: Led[] = ["dark", "green", "red", "yellow"];

/** The colour of an LED. */
export function ledAt(leds: Leds, row: number, column: number): Led {
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
export function keyOf(leds: Leds): string {
  return leds.green.join() + ";" + leds.red.join();
}

/** Draws a small board at a place. */
export function drawBoard(
  context: CanvasRenderingContext2D,
  leds: Leds,
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

/** The panel with the LEDs, and the same as a table for those who do not see it. */
export class Panel {
  private readonly canvas = byId<HTMLCanvasElement>("leds");
  private readonly cells: HTMLTableCellElement[] = [];
  private drawn = "";
  private told = "";
  private toldAt = 0;

  constructor() {
    const body = byId("led-table");
    for (let row = 0; row < 8; row++) {
      const line = make("tr", {}, make("th", { scope: "row" }, `row ${row + 1}`));
      for (let column = 0; column < 8; column++) {
        const cell = make("td", {}, "dark");
        this.cells.push(cell);
        line.append(cell);
      }
      body.append(line);
    }
    new ResizeObserver(() => (this.drawn = "")).observe(this.canvas);
  }

  /** Shows the LEDs, of a machine that runs or stands. */
  show(leds: Leds, runs: boolean): void {
    const key = keyOf(leds);
    if (key !== this.drawn) {
      this.drawn = key;
      this.draw(leds);
    }
    // A table that changes thirty times a second is of no use.
    if (key !== this.told && (!runs || performance.now() - this.toldAt > 500)) {
      [this.told, this.toldAt] = [key, performance.now()];
      this.cells.forEach((cell, n) => (cell.textContent = ledAt(leds, n >> 3, n & 7)));
    }
  }

  private draw(leds: Leds): void {
    const side = this.canvas.clientWidth;
    const context = pen(this.canvas, side, side);
    context.clearRect(0, 0, side, side);
    // As on the machine: LEDs of 5 mm, a little less than their grid apart.
    const [margin, radius] = [side * 0.045, side * 0.0445];
    const step = (side - 2 * margin) / 8;
    for (let row = 0; row < 8; row++) {
      for (let column = 0; column < 8; column++) {
        const x = margin + step * (column + 0.5);
        const y = margin + step * (row + 0.5);
        drawLed(context, ledAt(leds, row, column), x, y, radius);
      }
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
