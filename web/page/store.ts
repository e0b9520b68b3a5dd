// What survives a reload: the user's files, the progress in courses, what was open and chosen.

/** A course from a folder: its files by their paths in it. */
export interface Folder {
  folder: string;
  files: Record<string, string>;
}

export interface Stored {
  /** The texts of sources, test files and boards. */
  sources: Record<string, string>;
  /** The contents of chips beside boards, in base64. */
  contents: Record<string, string>;
  /** The name of the file in the editor. */
  open: string;
  /** The teacher's course that is open. */
  course: Folder | null;
  /** What `progress.ron` says, for each course by its folder. */
  progress: Record<string, string>;
  /** Whether a program that is edited runs again by itself. */
  again: boolean;
}

const KEY = "gray1";

export function load(): Stored {
  const empty = { sources: {}, contents: {}, open: "", course: null, progress: {}, again: true };
  try {
    return { ...empty, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as object) };
  } catch {
    // Some browsers keep nothing for files, and what was kept may be damaged.
    return empty;
  }
}

/** Keeps it; false if this browser does not. */
export function save(stored: Stored): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
    return true;
  } catch {
    return false;
  }
}
