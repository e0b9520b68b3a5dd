// Files and folders that are dropped on the page.

import { unzipSync } from "fflate";
import { BYTES_MAX, type Files, isJunk, isText, textOf } from "./files";
import { Refusal } from "./machine";
import type { Note } from "./note";
import type { Folder } from "./store";

/** A folder with more files is refused, because it is not a course or a program. */
const FILES_MAX = 2000;
/** An archive unpacks to at most this many bytes. */
const UNPACKED_MAX = 1 << 24;
/** If more files are dropped one by one, it was a mistake. */
const DROPPED_MAX = 100;

export interface Events {
  /** Opens the editor with a file. */
  open(file: string | undefined): void;
  /** Switches to the lessons of a course. */
  switchCourse(course: Folder): void;
}

export class Drop {
  constructor(
    private readonly files: Files, private readonly note: Note, private readonly events: Events,
  ) {}

  /** Adds what was dropped, and says what it is for. */
  async take(event: DragEvent): Promise<void> {
    const files = [...(event.dataTransfer?.files ?? [])];
    const entries = [...(event.dataTransfer?.items ?? [])]
      .filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry());
    if (files.length === 0) {
      throw new Refusal("That was not a file. Drop programs, tests, boards, or the folder of a course.");
    }
    for (const entry of entries) {
      if (entry?.isDirectory) await this.addFolder(entry as FileSystemDirectoryEntry);
    }
    const plain = files.filter((_, n) => !entries[n]?.isDirectory);
    if (plain.length === 0) return;
    const isArchive = ({ name }: File) => /\.zip$/i.test(name);
    const archives = plain.filter(isArchive);
    const others = plain.filter((file) => !isArchive(file));
    const added = others.length > 0 ? await this.addFiles(others) : [];
    for (const archive of archives) added.push(...await this.addArchive(archive));
    const names = added.filter((name) => this.files.has(name));
    const contents = added.filter((name) => !this.files.has(name));
    const last = names.at(-1);
    if (last !== undefined) this.events.open(last);
    const kinds = [
      names.length > 0 ? `Added: ${names.join(", ")}` : "",
      contents.length > 0 ? `Kept as the contents of a chip, for a board that names it: ${contents.join(", ")}` : "",
    ];
    this.note.say(kinds.filter(Boolean).join(". "));
  }

  /** Adds a folder: a course, or programs with their tests and boards. */
  private async addFolder(folder: FileSystemDirectoryEntry): Promise<void> {
    const files = await readTexts(folder);
    const paths = Object.keys(files);
    if (paths.length === 0) {
      throw new Refusal(`${folder.name} has no programs, tests, boards or lessons.`);
    }
    const isCourse = paths.some((path) => /(^|\/)(course|lesson)\.ron$/.test(path));
    const ours = paths.filter((path) => /\.(asm|ron)$/.test(path));
    if (isCourse || ours.length === 0) {
      return this.events.switchCourse({ folder: folder.name, files });
    }
    const texts = Object.fromEntries(ours.map((path) => [path, files[path] ?? ""]));
    this.events.open(this.files.addFolder(folder.name, texts)[0]);
  }

  /** Adds files and returns their names. If a name is already used, the old file gets another
   * one. */
  private async addFiles(dropped: File[]): Promise<string[]> {
    const files = dropped.filter(({ name }) => !isJunk(name));
    if (files.length === 0) {
      throw new Refusal(`${dropped[0]?.name} is a file of the operating system. It was skipped.`);
    }
    if (files.length > DROPPED_MAX) {
      throw new Refusal(`${files.length} files at once are more than ${DROPPED_MAX}`);
    }
    const names: string[] = [];
    for (const file of files) {
      if (file.size > BYTES_MAX) throw new Refusal(`${file.name} is too large`);
      names.push(this.files.add(file.name, new Uint8Array(await file.arrayBuffer())));
    }
    return names;
  }

  /** Adds the files of an archive. Returns their names. */
  private async addArchive(archive: File): Promise<string[]> {
    if (archive.size > UNPACKED_MAX) throw new Refusal(`${archive.name} is too large`);
    const files = unpack(new Uint8Array(await archive.arrayBuffer()));
    const good = files.filter(([name]) => !name.split("/").some(isJunk));
    if (good.length === 0) throw new Refusal(`${archive.name} has no files.`);
    return good.map(([name, bytes]) => this.files.add(name.replace(/^(\.*\/)+/, ""), bytes));
  }
}

/** Returns the contents of the text files in a dropped folder, by their paths in it. */
async function readTexts(folder: FileSystemDirectoryEntry): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  const waiting = [folder];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const reader = next.createReader();
    const read = () => new Promise<FileSystemEntry[]>((good, bad) => reader.readEntries(good, bad));
    for (let some = await read(); some.length > 0; some = await read()) {
      for (const entry of some) {
        if (isJunk(entry.name)) continue;
        if (entry.isDirectory) waiting.push(entry as FileSystemDirectoryEntry);
        else if (isText(entry.name)) await add(entry as FileSystemFileEntry);
      }
    }
  }
  return texts;

  async function add(entry: FileSystemFileEntry): Promise<void> {
    const file = await new Promise<File>((good, bad) => entry.file(good, bad));
    const path = entry.fullPath.slice(folder.fullPath.length + 1);
    const count = Object.keys(texts).length;
    if (file.size > BYTES_MAX) throw new Refusal(`${path} is too large`);
    if (count >= FILES_MAX) throw new Refusal(`${folder.name} has more than ${FILES_MAX} files`);
    texts[path] = textOf(new Uint8Array(await file.arrayBuffer()), path);
  }
}

/** Returns the files of an archive, by their paths. */
function unpack(archive: Uint8Array): [string, Uint8Array][] {
  let [count, size] = [0, 0];
  try {
    return Object.entries(unzipSync(archive, {
      filter({ name, originalSize }) {
        size += originalSize;
        if (++count > FILES_MAX || size > UNPACKED_MAX) throw new Refusal("This archive is too large.");
        return !name.endsWith("/");
      },
    }));
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal("This archive is damaged.");
  }
}
