// The film strip: the run of the program from its start to its end, or to the last known moment,
// with a mark and a small board for each result. Dragging it moves the machine in time.

import { byId, pen, setText } from "./dom";
import { drawBoard } from "./leds";
import type { Machine } from "./machine";
import type { MachineState, PrintedResult } from "./protocol";

/** The heights of the boards and of the track below them, in pixels. */
const BOARD = 40;
const TRACK = 22;
const GAP = 6;

export class Film {
  private readonly canvas = byId<HTMLCanvasElement>("film");
  private readonly slider = byId<HTMLInputElement>("moment");
  private readonly position = byId("film-words");
  private drawn = "";
  /** The values that the boards on the canvas depend on. */
  private boards: unknown[] = [];
  private width = 0;
  private colours: string[] = [];
  /** The left edge and the moment of each board that is drawn. */
  private spots: [left: number, moment: number][] = [];
  /** True if the machine was running before the user dragged the film strip. */
  private resumes = false;
  private isHeld = false;
  results: PrintedResult[] = [];

  constructor(private readonly machine: Machine, onSeek: () => void) {
    this.slider.addEventListener("input", () => {
      if (!this.isHeld) {
        this.isHeld = true;
        this.resumes = this.machine.state().status === "running";
      }
      this.machine.ask("seek", Math.round(Number(this.slider.value)));
      onSeek();
    });
    this.slider.addEventListener("change", () => {
      this.isHeld = false;
      if (this.resumes) this.machine.ask("transport", "play");
      onSeek();
    });
    this.canvas.addEventListener("click", ({ offsetX }) => {
      const isUnder = ([left]: [number, number]) => left <= offsetX && offsetX < left + BOARD;
      const spot = this.spots.find(isUnder);
      if (!spot) return;
      this.machine.ask("seek", spot[1]);
      onSeek();
    });
    const again = () => [this.drawn, this.boards] = ["", []];
    new ResizeObserver(([entry]) => {
      this.width = entry?.contentRect.width ?? 0;
      again();
    }).observe(this.canvas);
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", again);
  }

  show(state: MachineState): void {
    const { now, start, end, isWhole } = state;
    this.slider.min = String(start);
    this.slider.max = String(Math.max(end, start + 1));
    if (!this.isHeld) this.slider.value = String(now);
    const grouped = (n: number) => n.toLocaleString("en");
    const text = `${grouped(now)} of ${grouped(end)} instructions` + (isWhole ? "" : " so far");
    setText(this.position, text);
    this.slider.setAttribute("aria-valuetext", text);
    const { width } = this;
    byId("film-box").classList.toggle("bare", this.results.length === 0);
    const key = [start, end, Math.round((width * now) / Math.max(end, 1)), this.results.length];
    if (width > 0 && key.join() !== this.drawn) {
      this.drawn = key.join();
      this.draw(state, width);
    }
  }

  private draw({ now, start, end }: MachineState, width: number): void {
    const context = pen(this.canvas, width, BOARD + GAP + TRACK);
    // Redraw only the track while the machine runs.
    const boards = [start, end, this.results, this.canvas.width];
    const isWhole = boards.some((it, n) => it !== this.boards[n]);
    this.boards = boards;
    if (isWhole) {
      const style = getComputedStyle(this.canvas);
      this.colours = ["--ink", "--faint", "--accent"].map((name) => style.getPropertyValue(name));
      this.spots = [];
    }
    const [ink, faint, lit] = this.colours as [string, string, string];
    context.clearRect(0, isWhole ? 0 : BOARD, width, BOARD + GAP + TRACK);
    // The slider's thumb stays inside the track, so its centre moves within these bounds.
    const margin = 22;
    const x = (moment: number) =>
      margin + ((width - 2 * margin) * (moment - start)) / Math.max(end - start, 1);
    const y = BOARD + GAP + TRACK / 2;
    const bar = (from: number, to: number, colour: string) => {
      context.fillStyle = colour;
      context.beginPath();
      context.roundRect(from, y - 3, Math.max(to - from, 0), 6, 3);
      context.fill();
    };
    bar(margin, width - margin, faint);
    bar(margin, x(now), lit);
    let free = isWhole ? -Infinity : Infinity;
    for (const result of this.results) {
      const at = x(result.moment);
      context.fillStyle = ink;
      context.globalAlpha = 0.55;
      context.fillRect(at - 0.5, y - 9, 1, 6);
      context.globalAlpha = 1;
      const left = Math.min(Math.max(at - BOARD / 2, 0), width - BOARD);
      if (left >= free) {
        drawBoard(context, result.leds, left, 0, BOARD);
        this.spots.push([left, result.moment]);
        free = left + BOARD + 4;
      }
    }
  }
}
