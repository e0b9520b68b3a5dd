// The editor: CodeMirror with the analysis of the assembler.

import {
  acceptCompletion, autocompletion, completionKeymap, type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import {
  type ChangeSpec, ChangeSet, EditorState, RangeSetBuilder, StateEffect, StateField, Text,
  Transaction,
} from "@codemirror/state";
import {
  Decoration, type DecorationSet, EditorView, GutterMarker, type Tooltip, drawSelection, gutter,
  highlightActiveLine, hoverTooltip, keymap, lineNumbers, showTooltip,
} from "@codemirror/view";
import { make, markdown } from "./dom";
import type { Machine } from "./machine";
import type { Note } from "./note";
import type { Diagnostic, Edited, Position, Range, TextEdit } from "./protocol";

/** Returns the offset of a position. For a position after the end of its line or of the source,
 * returns the offset of that end. */
function offsetAt(doc: Text, { line, character }: Position): number {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

function positionAt(doc: Text, offset: number): Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

const spanOf = (doc: Text, { start, end }: Range) =>
  ({ from: offsetAt(doc, start), to: offsetAt(doc, end) });

const changesOf = (doc: Text, edits: TextEdit[]): ChangeSpec[] =>
  edits.map(({ range, newText }) => ({ ...spanOf(doc, range), insert: newText }));

/** Returns a source after edits. */
export function edited(text: string, edits: TextEdit[]): string {
  const doc = Text.of(text.split("\n"));
  return ChangeSet.of(changesOf(doc, edits), doc.length).apply(doc).toString();
}

/** Returns the message of a diagnostic, with the related places in words. */
function formatMessage({ message, relatedInformation = [] }: Diagnostic): string {
  const notes = relatedInformation.map(({ message: note, location: { uri, range: { start } } }) =>
    `note: ${note} at ${uri}:${start.line + 1}:${start.character + 1}`);
  return [message, ...notes].join("\n");
}

/** Errors beyond this number are counted but not marked, because each mark slows down typing. */
const MARKS_MAX = 200;
/** If an analysis takes longer than this (in milliseconds), it waits for a pause in typing. */
const COST_MAX = 50;
const PAUSE = 300;

/** Sets the semantic tokens, which colour the source. */
const setTokens = StateEffect.define<Edited["tokens"]>();
const tokens = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    shown = shown.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setTokens)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      for (const [line, character, length, type] of effect.value) {
        const from = offsetAt(transaction.newDoc, { line, character });
        builder.add(from, from + length, Decoration.mark({ class: `tok-${type}` }));
      }
      shown = builder.finish();
    }
    return shown;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const NONCE = EditorView.cspNonce.of("page");

/** The lines with breakpoints, and the current line of the machine. Lines count from 1, and 0 means
 * no line. */
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

/** Opens or closes the field for a new name. */
const setRenaming = StateEffect.define<Tooltip | null>();
const renaming = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, { docChanged, effects }) =>
    effects.reduce<Tooltip | null>(
      (last, effect) => (effect.is(setRenaming) ? effect.value : last), docChanged ? null : shown),
  provide: (field) => showTooltip.from(field),
});

/** Shows the signature of the statement or call at the cursor. */
function signatureAt(machine: Machine) {
  const tooltip = (state: EditorState): Tooltip | null => {
    const { doc, selection: { main: { head } } } = state;
    const help = machine.ask("signature", positionAt(doc, head));
    if (!help) return null;
    const [{ label, parameters }] = help.signatures;
    // A call can have more operands than it accepts.
    const [from, to] = parameters[help.activeParameter]?.label ?? [label.length, label.length];
    const active = from < to ? [make("b", {}, label.slice(from, to))] : [];
    const parts = [label.slice(0, from), ...active, label.slice(to)];
    const box = () => make("div", { className: "hover signature" }, make("code", {}, ...parts));
    const create = () => ({ dom: box() });
    return { pos: doc.lineAt(head).from, above: true, create };
  };
  return StateField.define<Tooltip | null>({
    create: () => null,
    update: (shown, change) => {
      if (change.docChanged || change.effects.some((effect) => effect.is(setTokens))) {
        // Wait, because the machine does not have the new source before it is analysed.
        return change.docChanged ? null : tooltip(change.state);
      }
      return change.selection ? null : shown;
    },
    provide: (field) => showTooltip.from(field),
  });
}

export interface Events {
  /** Returns the name to store the source under, or undefined if it is not one of the user's
   * files. */
  keptAs(name: string, text: string): string | undefined;
  /** Called after the source was changed and analysed. */
  edited(name: string, text: string, found: Edited): void;
  run(): void;
  /** Called for the key that saves a file in most editors. */
  save(): void;
  /** Called to set or remove a breakpoint. */
  breakAt(line: number): void;
  /** Called when the definition of a name is in another file. */
  show(name: string, at: Position): void;
  /** Called when a rename affects other files. */
  renamed(changes: Record<string, TextEdit[]>): void;
}

export class Editor {
  readonly view: EditorView;
  name = "";
  /** The files that were open before. */
  private readonly states = new Map<string, EditorState>();
  /** The duration of the last analysis in milliseconds, and the timer for the next one. */
  private cost = 0;
  private pause: ReturnType<typeof setTimeout> | undefined;

  constructor(
    parent: HTMLElement,
    private readonly machine: Machine,
    private readonly note: Note,
    private readonly events: Events,
  ) {
    // The page's security policy only allows styles with its nonce.
    this.view = new EditorView({ parent, extensions: NONCE });
    addEventListener("pagehide", () => this.settle());
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Opens a file, at a position or a line. Each file keeps its own changes to undo. */
  open(name: string, text: string, place: { at?: Position; line?: number } = {}): void {
    this.settle();
    this.states.set(this.name, this.view.state);
    this.name = name;
    this.view.setState(this.states.get(name) ??
      EditorState.create({ doc: text, extensions: this.extensions() }));
    this.replace(text);
    const { doc } = this.view.state;
    const at = offsetAt(doc, place.at ?? { line: Math.max((place.line ?? 0) - 1, 0), character: 0 });
    this.view.dispatch({ selection: { anchor: at } });
    this.analyse();
    if (at > 0) this.view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }

  private extensions() {
    return [
      NONCE,
      EditorView.contentAttributes.of({ "aria-label": `Source of ${this.name}`, tabindex: "0" }),
      marks, this.breakGutter(), signatureAt(this.machine), renaming,
      lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(),
      highlightSelectionMatches(), tokens,
      autocompletion({ icons: false, override: [(context) => this.complete(context)] }),
      hoverTooltip((_, position) => this.hover(position)),
      EditorView.updateListener.of((update) => update.docChanged && this.changed()),
      keymap.of([
        { key: "Mod-Enter", run: () => (this.events.run(), true) },
        { key: "Mod-s", run: () => (this.events.save(), true) },
        { key: "F12", run: () => this.goToDefinition() },
        { key: "F2", run: () => this.askForName() },
        { key: "F9", run: () => (this.events.breakAt(this.cursor.line + 1), true) },
        { key: "Shift-Alt-f", run: () => this.format() },
        { key: "Tab", run: acceptCompletion },
        ...completionKeymap, ...lintKeymap, ...searchKeymap,
        ...historyKeymap, ...defaultKeymap, indentWithTab,
      ]),
    ];
  }

  private get cursor(): Position {
    const { doc, selection } = this.view.state;
    return positionAt(doc, selection.main.head);
  }

  /** A gutter for breakpoints. A click sets or removes one. */
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

  /** Shows the breakpoints and the current line of the machine, if it runs the open file. */
  mark(breaks: number[], line: number | null): void {
    const shown = this.view.state.field(marks);
    const next = { breaks, line: line ?? 0 };
    if (JSON.stringify(shown) !== JSON.stringify(next)) {
      this.view.dispatch({ effects: setMarks.of(next) });
    }
  }

  /** Replaces the source of the open file, and keeps the position of the cursor. Undo does not take
   * it back, because it was not typed here. */
  replace(text: string): void {
    const before = this.text;
    if (text === before) return;
    const length = Math.min(text.length, before.length);
    let [from, same] = [0, 0];
    while (from < length && text[from] === before[from]) from++;
    while (same < length - from && text.at(-1 - same) === before.at(-1 - same)) same++;
    const changes = { from, to: before.length - same, insert: text.slice(from, text.length - same) };
    this.view.dispatch({ changes, annotations: Transaction.addToHistory.of(false) });
  }

  /** Applies an edit to the open file, and analyses it. */
  apply(edit: TextEdit): void {
    this.view.dispatch({ changes: changesOf(this.view.state.doc, [edit]) });
    this.settle();
    this.view.focus();
  }

  /** Inserts lines below the line of the cursor, and selects their first operand. */
  insert(lines: string): void {
    const { doc, selection: { main: { head } } } = this.view.state;
    const { to } = doc.lineAt(head);
    const [, before = "", operand = ""] = lines.match(/^( +\w+ +)(\w*)/) ?? [];
    const anchor = to + 1 + (before.length || lines.length);
    const changes = { from: to, insert: `\n${lines}` };
    this.view.dispatch({ changes, selection: { anchor, head: anchor + operand.length } });
    this.view.focus();
  }

  /** Gives the open file another name. */
  renameFile(name: string): void {
    this.states.delete(this.name);
    this.name = name;
  }

  /** Forgets the changes of a file, because another file has its name now. */
  forget(name: string): void {
    this.states.delete(name);
  }

  /** Analyses the source. If that takes a long time, waits for a pause in typing first. */
  private changed(): void {
    clearTimeout(this.pause);
    if (this.cost < COST_MAX) this.analyse();
    else this.pause = setTimeout(() => this.analyse(), PAUSE);
  }

  /** Analyses the source if it has changed since the last analysis. */
  settle(): void {
    if (this.pause === undefined) return;
    clearTimeout(this.pause);
    this.analyse();
  }

  private analyse(): void {
    const started = performance.now();
    this.pause = undefined;
    const { text, view: { state: { doc } } } = this;
    const kept = this.events.keptAs(this.name, text);
    this.name = kept ?? this.name;
    const found = this.machine.edit(this.name, text, kept !== undefined);
    const diagnostics = found.diagnostics.slice(0, MARKS_MAX).map((it) => ({
      ...spanOf(doc, it.range), severity: it.severity === 1 ? "error" as const : "warning" as const,
      message: formatMessage(it), ...(it.code ? { source: it.code } : {}),
    }));
    this.view.dispatch({ effects: setTokens.of(found.tokens) });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
    this.events.edited(this.name, text, found);
    this.cost = performance.now() - started;
  }

  private complete(context: CompletionContext): CompletionResult | null {
    const { doc } = context.state;
    const found = this.machine.ask("complete", positionAt(doc, context.pos));
    const [first] = found;
    if (!first) return null;
    const from = offsetAt(doc, first.textEdit.range.start);
    if (from === context.pos && !context.explicit) return null;
    // A word that is complete needs no list, such as `HALT`.
    const isWhole = (text: string) => {
      const fits = found.filter(({ label }) => label.startsWith(text.toUpperCase()));
      return fits.length === 1 && fits[0]?.label === text.toUpperCase();
    };
    if (!context.explicit && isWhole(doc.sliceString(from, context.pos))) return null;
    const options = found.map(({ label, detail, documentation }) => ({
      label, ...(detail ? { detail } : {}),
      ...(documentation ? { info: () => hoverBox(documentation.value) } : {}),
    }));
    return { from, options, validFor: (text) => /^[.\w]*$/.test(text) && !isWhole(text) };
  }

  private hover(position: number) {
    const { doc } = this.view.state;
    const hover = this.machine.ask("hover", positionAt(doc, position));
    if (!hover) return null;
    const create = () => ({ dom: hoverBox(hover.contents.value) });
    const { from, to } = spanOf(doc, hover.range);
    return { pos: from, end: to, above: true, create };
  }

  private goToDefinition(): boolean {
    const [place] = this.machine.ask("definition", this.cursor);
    if (!place) return false;
    const { uri, range: { start } } = place;
    if (uri !== this.name) {
      this.events.show(uri, start);
      return true;
    }
    this.goTo(start);
    return true;
  }

  /** Moves the cursor to a position. */
  goTo(at: Position): void {
    const anchor = offsetAt(this.view.state.doc, at);
    const effects = EditorView.scrollIntoView(anchor, { y: "center" });
    this.view.dispatch({ selection: { anchor }, effects });
    this.view.focus();
  }

  /** Asks for a new name for the name at the cursor. */
  private askForName(): boolean {
    this.note.guard(() => {
      const range = this.machine.ask("renamable", this.cursor);
      const { from, to } = spanOf(this.view.state.doc, range);
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
        this.rename(range.start, input.value);
      });
      const dom = make("div", { className: "hover rename" }, make("label", {}, "New name ", input));
      const create = () => ({ dom, mount: () => input.select() });
      this.view.dispatch({ effects: setRenaming.of({ pos: from, above: true, create }) });
    });
    return true;
  }

  private rename(at: Position, name: string): void {
    this.note.guard(() => {
      const { [this.name]: own = [], ...others } = this.machine.ask("rename", at, name).changes;
      this.events.renamed(others);
      this.view.dispatch({ changes: changesOf(this.view.state.doc, own) });
    });
  }

  /** Formats the source. If it has errors, it stays unchanged. */
  format(): boolean {
    const edits = this.machine.ask("format");
    if (edits === null) return false;
    this.view.dispatch({ changes: changesOf(this.view.state.doc, edits) });
    return true;
  }
}

function hoverBox(text: string): HTMLElement {
  const box = document.createElement("div");
  box.className = "hover";
  box.append(markdown(text));
  return box;
}
