// The values that survive a reload: the user's files, the progress in courses, and the user's
// choices. Each is stored separately, so that damage or a change in another tab affects only one.

/** A course from a folder. `files` has its files, by their paths within the folder. */
export interface Folder {
  folder: string;
  files: Record<string, string>;
}

/** The kinds of values that have names. */
export type Kind = "source" | "contents" | "progress";
type Setting = "course" | "open" | "again" | "instructions";
/** `linked` has sums of the texts that links of this browser hold. */
type Path = Setting | `${Kind | "linked"}/${string}`;

const PREFIX = "gray1/";
/** The prefix of keys for values that could not be read. */
const DAMAGED = "gray1-damaged/";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export class Store {
  private readonly values = new Map<string, string>();
  /** The values that this browser did not store. */
  private readonly unstored = new Set<string>();
  /** Descriptions of the values that could not be read. */
  readonly damaged: string[] = [];
  /** Called after another tab has changed or deleted a named value. */
  onChange: (kind: Kind, name: string) => void = () => {};

  constructor() {
    // Some browsers do not allow storage for pages in local files.
    this.guarded(() => {
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith(PREFIX)) {
          this.values.set(key.slice(PREFIX.length), localStorage.getItem(key) ?? "");
        }
      }
    });
    addEventListener("storage", ({ key, newValue }) => key && this.take(key, newValue));
    // A page that comes back from the browser's cache has missed the changes of other tabs.
    addEventListener("pageshow", ({ persisted }) => persisted && this.guarded(() => {
      const known = [...this.values.keys()].map((path) => PREFIX + path);
      for (const key of new Set([...known, ...Object.keys(localStorage)])) {
        const value = localStorage.getItem(key);
        const path = key.slice(PREFIX.length);
        const isKnown = this.unstored.has(path) || (this.values.get(path) ?? null) === value;
        if (!isKnown) this.take(key, value);
      }
    }));
    addEventListener("beforeunload", (event) => this.unstored.size > 0 && event.preventDefault());
  }

  /** Takes a value that another tab has stored, or deleted if it is null. */
  private take(key: string, value: string | null): void {
    if (!key.startsWith(PREFIX)) return;
    const path = key.slice(PREFIX.length);
    if (value === null) this.values.delete(path);
    else this.values.set(path, value);
    const [, kind, name] = path.match(/^(source|contents|progress)\/(.*)$/s) ?? [];
    if (kind !== undefined && name !== undefined) this.onChange(kind as Kind, name);
  }

  private guarded(work: () => void): boolean {
    try {
      work();
      return true;
    } catch {
      return false;
    }
  }

  get(path: Path): string | undefined {
    return this.values.get(path);
  }

  /** Returns the names of a kind, sorted. */
  names(kind: Kind): string[] {
    const paths = [...this.values.keys()].filter((path) => path.startsWith(`${kind}/`));
    return paths.map((path) => path.slice(kind.length + 1)).sort();
  }

  /** Stores a value. Returns false if this browser does not keep it. */
  set(path: Path, value: string): boolean {
    if (this.values.get(path) === value && !this.unstored.has(path)) return true;
    this.values.set(path, value);
    const isKept = this.guarded(() => localStorage.setItem(PREFIX + path, value));
    if (isKept) this.unstored.delete(path);
    else if (!path.startsWith("linked/")) this.unstored.add(path);
    return isKept;
  }

  delete(path: Path): void {
    this.values.delete(path);
    this.unstored.delete(path);
    this.guarded(() => localStorage.removeItem(PREFIX + path));
  }

  /** Moves a value that cannot be read to another key. */
  setAside(path: Path, what: string): void {
    const value = this.values.get(path) ?? "";
    this.guarded(() => localStorage.setItem(DAMAGED + path, value));
    this.delete(path);
    this.damaged.push(what);
  }

  /** The teacher's course that is open, if any. */
  get course(): Folder | null {
    const text = this.get("course");
    if (text === undefined) return null;
    try {
      const course: unknown = JSON.parse(text);
      const isText = (value: unknown) => typeof value === "string";
      if (isRecord(course) && isText(course.folder) && isRecord(course.files) &&
        Object.values(course.files).every(isText)) return course as unknown as Folder;
    } catch {
      // The damaged course has been moved to another key.
    }
    this.setAside("course", "the course");
    return null;
  }
}
