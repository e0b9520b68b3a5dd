// Archives (ZIP) of the user's files. Only what other programs need to read and write them.

import { Refusal } from "./machine";

/** The signatures of a file, of its entry in the directory, and of the end of the directory. */
const [FILE, ENTRY, END] = [0x04034b50, 0x02014b50, 0x06054b50];
/** The lengths of these parts without names and comments. */
const [FILE_LENGTH, ENTRY_LENGTH, END_LENGTH] = [30, 46, 22];
/** The version of the format, and the flag for names in UTF-8. */
const [VERSION, UTF8] = [20, 0x800];
/** An archive unpacks to at most this many bytes. */
const BYTES_MAX = 1 << 24;

/** A number of two bytes, or one of four bytes. */
type Word = number | [number];

/** Returns an archive of files, which are not compressed. */
export function zip(files: [name: string, bytes: Uint8Array][]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  const add = (list: Uint8Array[], ...added: Uint8Array[]) => list.push(...added);
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path);
    const { length } = bytes;
    // The version, the flags, no compression, no time, the check sum, the sizes and the length of
    // the name are in both places.
    const common: Word[] = [VERSION, UTF8, 0, 0, 0x21, [crc(bytes)], [length], [length], name.length, 0];
    add(directory, words([[ENTRY], VERSION, ...common, 0, 0, 0, [0], [at]]), name);
    const head = words([[FILE], ...common]);
    add(parts, head, name, bytes);
    at += head.length + name.length + length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const { length } = files;
  add(parts, ...directory, words([[END], 0, 0, length, length, [size], [at], 0]));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((place, part) => (whole.set(part, place), place + part.length), 0);
  return whole;
}

/** Returns numbers of two bytes, and those in brackets as four bytes, low byte first. */
function words(numbers: Word[]): Uint8Array {
  const bytes = numbers.flatMap((number) => typeof number === "number"
    ? [number, number >> 8] : [0, 8, 16, 24].map((shift) => number[0] >>> shift));
  return Uint8Array.from(bytes);
}

/** Returns the check sum of archives (CRC-32). */
function crc(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** Returns the files of an archive, by their paths. */
export async function unzip(archive: Uint8Array<ArrayBuffer>): Promise<[string, Uint8Array<ArrayBuffer>][]> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const damaged = new Refusal("This archive is damaged.");
  try {
    let end = archive.length - END_LENGTH;
    while (view.getUint32(end, true) !== END) end--;
    let at = view.getUint32(end + 16, true);
    const files: [string, Uint8Array<ArrayBuffer>][] = [];
    let unpacked = 0;
    for (let count = view.getUint16(end + 10, true); count > 0; count--) {
      if (view.getUint32(at, true) !== ENTRY) throw damaged;
      const [packedSize, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
      const lengths = [28, 30, 32].map((place) => view.getUint16(at + place, true));
      const file = view.getUint32(at + 42, true);
      const name = new TextDecoder().decode(archive.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + lengths[0]!));
      const from = file + FILE_LENGTH + view.getUint16(file + 26, true) + view.getUint16(file + 28, true);
      const packed = archive.slice(from, from + packedSize);
      if ((unpacked += size) > BYTES_MAX) throw new Refusal("This archive is too large.");
      const method = view.getUint16(at + 10, true);
      if (!name.endsWith("/")) files.push([name, method === 0 ? packed : await inflate(packed, size)]);
      at += ENTRY_LENGTH + lengths.reduce((sum, length) => sum + length, 0);
    }
    return files;
  } catch (error) {
    throw error instanceof Refusal ? error : damaged;
  }
}

/** Unpacks a file to this many bytes, and stops if there are more. */
async function inflate(packed: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const bytes = new Uint8Array(size);
  let at = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes.set(part.value, at);
    at += part.value.length;
  }
  return bytes;
}
