// The line below the editor: the first problem of the source, with its fix.

import { byId, make, setText } from "./dom";
import type { Editor } from "./editor";
import { Refusal } from "./machine";
import type { Edited, Fix } from "./protocol";

export class Problems {
  private readonly box = byId("problems");
  /** True if the source has errors. */
  hasErrors = false;
  /** The fix for the first problem. */
  private fix: Fix | null = null;

  /** Shows what was found in the source of an editor. `words` stand behind it, and `late` behind
   * an error. */
  show(editor: Editor, { diagnostics, fix }: Edited, words: string, late: string): void {
    const errors = diagnostics.filter(({ severity }) => severity === 1);
    [this.hasErrors, this.fix] = [errors.length > 0, fix];
    const found = this.hasErrors ? errors : diagnostics;
    const [first] = found;
    this.box.classList.toggle("warns", found.length > 0 && !this.hasErrors);
    if (!first) return setText(this.box, `No errors${words}`);
    const kind = this.hasErrors ? "errors" : "warnings";
    const more = found.length > 1 ? `1 of ${found.length} ${kind}: ` : "";
    const { message, range: { start } } = first;
    const textContent = `${more}line ${start.line + 1}: ${message.replaceAll("\n", "; ")}`;
    const lead = make("button", { textContent, onclick: () => editor.goTo(start) });
    this.box.replaceChildren(lead, words, this.hasErrors ? late : "");
    if (!fix) return;
    const [title, onclick] = [fix.title.replaceAll("`", ""), () => this.apply(editor, fix)];
    this.box.append(make("button", { className: "main", textContent: title, onclick }));
  }

  /** Refuses if the source has errors. */
  expectNone(): void {
    if (this.hasErrors) throw new Refusal("It does not assemble yet: the editor marks where.");
  }

  /** Applies a fix. If the program then lacks a line, such as `.pool`, adds it as well. */
  private apply(editor: Editor, { edit }: Fix): void {
    const { hasErrors } = this;
    editor.apply(edit);
    const { start, end } = this.fix?.edit.range ?? {};
    const isInsertion = start && start.line === end?.line && start.character === end.character;
    if (!hasErrors && this.hasErrors && this.fix && isInsertion) editor.apply(this.fix.edit);
  }
}
