// "Write on it": the message of a visitor, which scrolls over the LEDs.

import { byId, setText } from "./dom";
import { type Machine, Refusal } from "./machine";

/** The pause in typing after which a message begins, in milliseconds. */
const PAUSE = 500;

export class Message {
  private readonly field = byId<HTMLInputElement>("message");
  private due = 0;
  /** What runs, as it was typed. */
  private shown = "";

  /** With what lets another program into the machine. */
  constructor(
    private readonly machine: Machine, private readonly replace: (load: () => void) => void,
  ) {
    byId("write-on-it").addEventListener("click", () => {
      replace(() => machine.write(this.text));
      this.field.focus();
    });
    this.field.addEventListener("input", () => {
      clearTimeout(this.due);
      if (this.count()) this.due = window.setTimeout(() => this.run(), PAUSE);
    });
    this.field.addEventListener("change", () => this.run());
  }

  /** Another program is in the machine: there is a field if it shows messages. */
  begin(): void {
    const { message } = this.machine.about;
    clearTimeout(this.due);
    byId("message-box").hidden = message === null;
    byId("write-on-it").hidden = message !== null;
    if (message === null || document.activeElement === this.field) return;
    this.shown = this.field.value = message;
    this.count();
  }

  /** What is in the field, with letters and their accents in one, as the machine knows them. */
  private get text(): string {
    return this.field.value.normalize();
  }

  /** Says how many letters fit, or why the message cannot be shown. */
  private count(): boolean {
    let words: string;
    let isFine = true;
    try {
      const room = this.machine.ask("room", this.text);
      words = room === 1 ? "One more letter fits." : `${room || "No"} more letters fit.`;
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      [words, isFine] = [`Sorry, ${refusal.message}.`, false];
    }
    const told = byId("message-room");
    // A count after each letter would talk over what is typed.
    told.ariaLive = isFine ? "off" : "assertive";
    this.field.ariaInvalid = String(!isFine);
    setText(told, words);
    return isFine;
  }

  private run(): void {
    if (!this.count() || this.text === this.shown) return;
    this.shown = this.text;
    this.replace(() => this.machine.write(this.text));
  }
}
