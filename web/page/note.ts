// The note below the display: a message, until what it is about is over.

import { byId, make, setText } from "./dom";
import { attempt } from "./machine";
import type { MachineState } from "./protocol";

/** The label of a button, and what it does. */
export type Action = [label: string, act: () => void];

export class Note {
  private readonly box = byId("note");
  /** The last remark of the machine. */
  private remark = "";
  /** The state of the machine that the message is about, "next" before the next frame, or undefined
   * if the message is about no moment. */
  private subject: MachineState | "next" | undefined;

  /** Shows a message, with a button that does more. */
  say(message: string, action?: Action): void {
    this.subject = undefined;
    setText(this.box, message);
    if (!action) return;
    const [textContent, onclick] = action;
    this.box.append(" ", make("button", { textContent, onclick }));
  }

  /** Runs `work`. If the machine refuses a request, shows the reason. */
  guard(work: () => unknown): void {
    attempt(work, (reason) => this.say(reason));
  }

  /** Shows a message about the current moment, until the machine leaves it, starts or stops. */
  sayHere(message: string, action?: Action): void {
    this.say(message, action);
    this.subject = "next";
  }

  /** Shows a remark of the machine, until another program is in the machine. */
  sayRemark(remark: string): void {
    this.say(this.remark = remark);
  }

  /** Shows a message, and the words of the debugger about it. */
  fold(message: string, details: string): void {
    this.subject = undefined;
    const isShown = byId("caption").checkVisibility();
    const summary = isShown ? "Why it stopped, in more detail" : message || "Paused.";
    this.box.replaceChildren(make("details", {}, make("summary", {}, summary), details));
  }

  /** Handles another program in the machine: removes a message about the previous one. */
  begin(): void {
    if (this.subject || this.box.textContent === this.remark) this.say("");
  }

  /** Removes a message about a moment that the machine has left. */
  update(state: MachineState): void {
    const { subject } = this;
    if (subject === "next") this.subject = state;
    else if (!subject) return;
    else if (subject.status !== state.status) this.say("");
    else if (state.status !== "running" && subject.now !== state.now) this.say("");
  }
}
