// The editor: CodeMirror, with the answers of the assembler's own analysis.

import {
  acceptCompletion, autocompletion, completionKeymap, type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, type DecorationSet, EditorView, GutterMarker, type Tooltip, drawSelection, gutter,
  highlightActiveLine, hoverTooltip, keymap, lineNumbers, showTooltip,
} from "@codemirror/view";
import { make, markdown } from "./dom";
import { type Machine, Refusal } from "./machine";
import type { Edited } from "./protocol";

/** The words of the source with their meanings, which have colours. */
const setTokens = StateEffect.define<Edited["tokens"]>();
const tokens = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    shown = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setTokens)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      for (const [from, to, kind] of effect.value) {
        builder.add(from, to, Decoration.mark({ class: `tok-${kind}` }));
      }
      shown = builder.finish();
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const NONCE = EditorView.cspNonce.of("page");

/** The lines that have breaks, and the one at which the machine stands; from 1, 0 is none. */
interface Marks {
  breaks: number[];
  line: number;
}
const setMarks = StateEffect.define<Marks>();
const marks = StateField.define<Marks>({
  create: () => ({ breaks: [], line: 0 }),
  update: (shown, { effects }) =>
    effects.reduce((last, effect) => (effect.is(setMarks) ? effect.value : last), shown),
  provide: (field) => EditorView.decorations.from(field, ({ line }) => (view) =>
    line > 0 && line <= view.state.doc.lines
      ? Decoration.set(Decoration.line({ class: "at" }).range(view.state.doc.line(line).from))
      : Decoration.none),
});

class BreakMarker extends GutterMarker {
  override toDOM = () => document.createTextNode("●");
}
const breakMarker = new BreakMarker();

/** The field for a new name, while there is one. */
const setRenaming = StateEffect.define<Tooltip | null>();
const renaming = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, { docChanged, effects }) =>
    effects.reduce<Tooltip | null>(
      (last, effect) => (effect.is(setRenaming) ? effect.value : last), docChanged ? null : shown),
  provide: (field) => showTooltip.from(field),
});

/** The operands that belong where the cursor is. */
function signatureAt(machine: Machine) {
  const tooltip = (state: EditorState): Tooltip | null => {
    const at = state.selection.main.head;
    const signature = machine.ask("signature", { at });
    if (!signature) return null;
    const [before, after] = signature.text.split(signature.active, 2);
    const active = make("b", {}, signature.active);
    const parts = signature.active === "" ? [signature.text] : [before ?? "", active, after ?? ""];
    const create = () => ({ dom: make("div", { className: "hover" }, make("code", {}, ...parts)) });
    return { pos: state.doc.lineAt(at).from, above: true, create };
  };
  return StateField.define<Tooltip | null>({
    create: () => null,
    update: (shown, change) => {
      if (change.docChanged || change.effects.some((effect) => effect.is(setTokens))) {
        // The machine knows the new text once it has been analysed.
        return change.docChanged ? null : tooltip(change.state);
      }
      return change.selection ? null : shown;
    },
    provide: (field) => showTooltip.from(field),
  });
}

export interface Events {
  /** The text has changed and was analysed. */
  edited(name: string, text: string, errors: number): void;
  run(): void;
  /** A break is wanted on a line, or no longer. */
  breakAt(line: number): void;
  /** The definition of a name is in a file that is not open. */
  show(name: string, at: number): void;
  /** A name has been replaced in these files. */
  renamed(files: string[]): void;
  say(words: string): void;
}

export class Editor {
  readonly view: EditorView;
  name = "";

  constructor(
    parent: HTMLElement,
    private readonly machine: Machine,
    private readonly events: Events,
  ) {
    // The page allows the styles of those who know its nonce.
    this.view = new EditorView({ parent, extensions: NONCE });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Opens a file, at a place or a line. */
  open(name: string, text: string, place: { at?: number; line?: number } = {}): void {
    this.name = name;
    const doc = EditorState.create({ doc: text }).doc;
    const line = Math.min(place.line ?? 0, doc.lines);
    const at = Math.min(line > 0 ? doc.line(line).from : place.at ?? 0, doc.length);
    const selection = { anchor: at };
    this.view.setState(EditorState.create({ doc, selection, extensions: this.extensions() }));
    this.analyse();
    if (at > 0) this.view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }

  private extensions() {
    return [
      NONCE,
      EditorView.contentAttributes.of({ "aria-label": `Source of ${this.name}` }),
      marks, this.breakGutter(), signatureAt(this.machine), renaming,
      lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(),
      highlightSelectionMatches(), tokens,
      autocompletion({ override: [(context) => this.complete(context)] }),
      hoverTooltip((_, position) => this.hover(position)),
      EditorView.updateListener.of((update) => update.docChanged && this.analyse()),
      keymap.of([
        { key: "Mod-Enter", run: () => (this.events.run(), true) },
        { key: "F12", run: () => this.define() },
        { key: "F2", run: () => this.askForName() },
        { key: "F9", run: () => (this.events.breakAt(this.lineOfCursor), true) },
        { key: "Shift-Alt-f", run: () => this.format() },
        { key: "Tab", run: acceptCompletion },
        ...completionKeymap, ...lintKeymap, ...searchKeymap,
        ...historyKeymap, ...defaultKeymap, indentWithTab,
      ]),
    ];
  }

  private get lineOfCursor(): number {
    const { doc, selection } = this.view.state;
    return doc.lineAt(selection.main.head).number;
  }

  /** A column for breaks; a click sets one, or removes it. */
  private breakGutter() {
    const lineOf = (view: EditorView, from: number) => view.state.doc.lineAt(from).number;
    return gutter({
      class: "cm-breaks",
      lineMarker: (view, { from }) =>
        view.state.field(marks).breaks.includes(lineOf(view, from)) ? breakMarker : null,
      lineMarkerChange: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(setMarks))),
      initialSpacer: () => breakMarker,
      domEventHandlers: {
        mousedown: (view, { from }) => (this.events.breakAt(lineOf(view, from)), true),
      },
    });
  }

  /** Shows where the machine stands and where it stops, if it runs what is in the editor. */
  mark(breaks: number[], line: number | null): void {
    const shown = this.view.state.field(marks);
    const next = { breaks, line: line ?? 0 };
    if (JSON.stringify(shown) !== JSON.stringify(next)) {
      this.view.dispatch({ effects: setMarks.of(next) });
    }
  }

  private analyse(): void {
    const text = this.text;
    const edited = this.machine.edit(this.name, text);
    const within = (place: number) => Math.min(place, text.length);
    const diagnostics = edited.diagnostics.map(({ from, to, severity, source, message }) => ({
      from: within(from), to: within(to), severity, message, ...(source ? { source } : {}),
    }));
    this.view.dispatch({ effects: setTokens.of(edited.tokens) });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    this.events.edited(this.name, text, errors.length);
  }

  private complete(context: CompletionContext): CompletionResult | null {
    const found = this.machine.ask("complete", { at: context.pos });
    if (!found || (found.from === context.pos && !context.explicit)) return null;
    const options = found.items.map(({ label, detail, markdown: text, type }) => ({
      label, type, ...(detail ? { detail } : {}),
      ...(text ? { info: () => wrapped(text) } : {}),
    }));
    return { from: found.from, options, validFor: /^[.\w]*$/ };
  }

  private hover(position: number) {
    const hover = this.machine.ask("hover", { at: position });
    if (!hover) return null;
    const create = () => ({ dom: wrapped(hover.markdown) });
    return { pos: hover.from, end: hover.to, above: true, create };
  }

  private define(): boolean {
    const at = this.view.state.selection.main.head;
    const place = this.machine.ask("definition", { at });
    if (!place) return false;
    if (place.name !== this.name) {
      this.events.show(place.name, place.at);
      return true;
    }
    const effects = EditorView.scrollIntoView(place.at, { y: "center" });
    this.view.dispatch({ selection: { anchor: place.at }, effects });
    return true;
  }

  /** Asks for another name of what is at the cursor. */
  private askForName(): boolean {
    try {
      const at = this.view.state.selection.main.head;
      const { from, to } = this.machine.ask("renamable", { at });
      const input = make("input", { value: this.view.state.sliceDoc(from, to) });
      input.ariaLabel = "New name";
      const close = () => {
        this.view.dispatch({ effects: setRenaming.of(null) });
        this.view.focus();
      };
      input.addEventListener("keydown", (event) => {
        if (event.key === "Escape") close();
        if (event.key !== "Enter") return;
        close();
        this.rename(from, input.value);
      });
      const dom = make("div", { className: "hover rename" }, make("label", {}, "New name ", input));
      const create = () => ({ dom, mount: () => input.select() });
      this.view.dispatch({ effects: setRenaming.of({ pos: from, above: true, create }) });
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.events.say(refusal.message);
    }
    return true;
  }

  private rename(at: number, name: string): void {
    try {
      const places = this.machine.ask("rename", { at, name });
      const changes = (places[this.name] ?? []).map(([from, to]) => ({ from, to, insert: name }));
      this.events.renamed(Object.keys(places));
      this.view.dispatch({ changes });
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      this.events.say(refusal.message);
    }
  }

  /** Formats the source; one with errors stays as it is. */
  format(): boolean {
    const text = this.machine.ask("format");
    if (text !== null && text !== this.text) {
      const head = Math.min(this.view.state.selection.main.head, text.length);
      const changes = { from: 0, to: this.view.state.doc.length, insert: text };
      this.view.dispatch({ changes, selection: { anchor: head } });
    }
    return text !== null;
  }
}

function wrapped(text: string): HTMLElement {
  const box = document.createElement("div");
  box.className = "hover";
  box.append(markdown(text));
  return box;
}
