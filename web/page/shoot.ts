// Makes the film of a run: an animated GIF of the changes of the LEDs, or of a message.

import type { Machine } from "./machine";
import type { Display, Transport } from "./protocol";

/** The number of frames in a film, and the duration of each in hundredths of a second. Together,
 * they take six seconds. */
const [FRAMES, DURATION] = [200, 3];
/** The duration of the last frame of a film, in hundredths of a second. */
const REST = 150;
/** The maximum duration of work between two frames of the screen, and of the search for a change of
 * an LED, in milliseconds. */
const [WORK, PATIENCE] = [12, 1000];
/** While a message waits between two columns, no LED changes for more instructions than this. */
const COLUMN = 2000;
/** The maximum number of columns of a letter, and the duration of a column in hundredths of a
 * second. */
const [LETTER, COLUMN_DURATION] = [6, 6];
/** Runs another machine to the moment of a link, and films it. Pauses between slices of work, and
 * reports the progress. */
export async function makeFilm(
  machine: Machine, link: string, report: (part: number) => void,
): Promise<BlobPart[]> {
  const shooting = new Shooting(machine, report);
  await shooting.open(link);
  const { message } = machine.about;
  await (message ? shooting.takeMessage(message.length) : shooting.takeChanges());
  return shooting.end();
}

class Shooting {
  private readonly parts: BlobPart[] = [];
  /** The time at which the screen may draw a frame again. */
  private restsAt = 0;

  constructor(
    private readonly machine: Machine, private readonly report: (part: number) => void,
  ) {}

  async open(link: string): Promise<void> {
    this.machine.open(link);
    while (this.machine.updateOpening() !== true) {
      await this.rest(0);
      this.machine.advance(0, 0);
    }
  }

  /** Films each column of a message, until all LEDs are dark again. */
  async takeMessage(letters: number): Promise<void> {
    const { machine } = this;
    machine.ask("seek", 0);
    const columns = LETTER * letters + 8;
    let [shown, before] = [0, machine.state()];
    while (shown < columns && await this.go("forward", shown / columns)) {
      const state = machine.state();
      const isColumn = state.now - before.now > COLUMN;
      if (isColumn) {
        this.take(before.leds, COLUMN_DURATION);
        shown++;
      }
      const isDark = ![...before.leds.green, ...before.leds.red].some(Boolean);
      if (isColumn && isDark && shown > LETTER / 2 * letters) break;
      before = state;
    }
    this.take(before.leds, COLUMN_DURATION);
  }

  /** Films the changes up to this moment. If there are fewer changes than frames, continues past
   * it. */
  async takeChanges(): Promise<void> {
    const { machine } = this;
    const arrived = machine.state();
    let changes = 0;
    while (changes < FRAMES && await this.go("back", changes / FRAMES / 2)) changes++;
    machine.ask("transport", "pause");
    const isYoung = changes < FRAMES;
    const isWithin = () => isYoung || machine.state().now <= arrived.now;
    let frames = 0;
    do {
      this.take(machine.state().leds, DURATION);
      frames++;
    } while (frames <= FRAMES && await this.go("forward", (1 + frames / FRAMES) / 2) && isWithin());
    this.take(isYoung ? machine.state().leds : arrived.leds, REST);
  }

  end(): BlobPart[] {
    this.take(null, 0);
    this.report(1);
    return this.parts;
  }

  private take(leds: Display | null, duration: number): void {
    this.parts.push(Uint8Array.from(this.machine.ask("film", leds, duration)));
  }

  /** Goes to the next or the previous change. Returns false if it takes too long to find. */
  private async go(button: Transport, part: number): Promise<boolean> {
    const { machine } = this;
    const { now } = machine.state();
    const patience = performance.now() + PATIENCE;
    machine.ask("transport", button);
    for (await this.rest(part); machine.state().status === "searching"; await this.rest(part)) {
      if (performance.now() > patience) return false;
      machine.advance(0, 0);
    }
    return machine.state().now !== now;
  }

  /** Lets the screen draw a frame, and reports the progress. */
  private async rest(part: number): Promise<void> {
    if (performance.now() < this.restsAt) return;
    await new Promise((next) => setTimeout(next));
    this.report(part);
    this.restsAt = performance.now() + WORK;
  }
}
