// "Write on it": a visitor's message, which scrolls over the LEDs.

import { byId, setText } from "./dom";
import { type Machine, attempt } from "./machine";

/** The pause in typing after which a message starts, in milliseconds. */
const PAUSE = 500;

export class Message {
  private readonly field = byId<HTMLInputElement>("message");
  private due = 0;
  /** The current message, as it was typed. */
  private shown = "";

  /** `load` replaces the program in the machine. */
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
    byId("answer").addEventListener("click", () => {
      this.field.value = "";
      setText(byId("message-label"), "Your message");
      this.count();
      this.field.focus();
    });
  }

  /** Shows the field if the new program in the machine shows messages. */
  begin(): void {
    const { message, note } = this.machine.about;
    // A note says that the message came with a link.
    const isReceived = message !== null && message !== "" && note !== null;
    byId("answer").hidden = !isReceived;
    setText(byId("message-label"), isReceived ? "The message" : "Your message");
    clearTimeout(this.due);
    byId("message-box").hidden = message === null;
    byId("write-on-it").hidden = message !== null;
    if (message === null || document.activeElement === this.field) return;
    this.shown = this.field.value = message;
    this.count();
  }

  /** The contents of the field. Letters and their accents are combined, as the machine expects. */
  private get text(): string {
    return this.field.value.normalize();
  }

  /** Shows how many letters still fit, or why the LEDs cannot show the message. */
  private count(): boolean {
    let isFine = true;
    const note = attempt(() => {
      const [room, replaced] = this.machine.ask("room", this.text);
      this.name(replaced);
      const fits = room === 1 ? "One more letter fits" : `${room || "No"} more letters fit`;
      return `${fits} in the link. Punctuation and accents take more room.`;
    }, (reason) => {
      isFine = false;
      this.name([]);
      return `Sorry, ${reason}.`;
    });
    const output = byId("message-room");
    // Announcing the count after each letter would interrupt the screen reader.
    output.ariaLive = isFine ? "off" : "assertive";
    this.field.ariaInvalid = String(!isFine);
    setText(output, note);
    return isFine;
  }

  /** Names the characters that the LEDs cannot show, with what stands for each. */
  private name(replaced: [string, string][]): void {
    const shown = replaced.filter(([, by]) => by).map(([sign, by]) => `${sign} as ${by}`);
    const leftOut = replaced.filter(([, by]) => !by).map(([sign]) => sign);
    const words = [
      shown.length > 0 ? `show ${shown.join(", ")}` : "",
      leftOut.length > 0 ? `leave out ${leftOut.join(", ")}` : "",
    ].filter(Boolean).join(", and ");
    setText(byId("message-signs"), words && `The LEDs ${words}.`);
  }

  private run(): void {
    if (!this.count() || this.text === this.shown) return;
    this.shown = this.text;
    this.replace(() => this.machine.write(this.text));
  }
}
