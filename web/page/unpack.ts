// Unpacks the WebAssembly module, which is packed with LZMA: it is a sixth smaller than with gzip,
// the best method that all browsers have. The method is described in "LZMA specification" by Igor
// Pavlov. It codes one bit at a time, each with a probability that its context has learned.

/** The number of bits of a probability, and the speed at which it learns. */
const [PROBABILITY_BITS, RATE] = [11, 5];
/** A symbol takes at most this many packed bytes. */
const SYMBOL_MAX = 32;
/** The length of the header: a byte of parameters, the size of the dictionary, and the full size. */
const HEADER = 13;

/** The probabilities of one kind of decision follow those of another in one array. */
const STATES = 12;
const MATCH = 0;
const REPEAT = MATCH + (STATES << 4);
const REPEAT_0 = REPEAT + STATES;
const REPEAT_1 = REPEAT_0 + STATES;
const REPEAT_2 = REPEAT_1 + STATES;
const REPEAT_0_LONG = REPEAT_2 + STATES;
const SLOT = REPEAT_0_LONG + (STATES << 4);
const DISTANCE = SLOT + (4 << 6);
const ALIGN = DISTANCE + 128;
const LENGTH = ALIGN + 16;
const LENGTHS = 2 + (16 << 3) + (16 << 3) + 256;
const REPEAT_LENGTH = LENGTH + LENGTHS;
const LITERAL = REPEAT_LENGTH + LENGTHS;

export class Unpacker {
  private readonly packed: Uint8Array<ArrayBuffer>;
  private readonly bytes: Uint8Array<ArrayBuffer>;
  private arrived = 0;
  private read = 0;
  private written = 0;
  private probabilities = new Uint16Array(0);
  private range = 0xffff_ffff;
  private code = 0;
  private state = 0;
  /** The last four distances. */
  private recent = [0, 0, 0, 0];
  private literalBits = 0;
  private literalMask = 0;
  private placeMask = 0;

  /** Prepares for this many packed and unpacked bytes. */
  constructor(packed: number, size: number) {
    this.packed = new Uint8Array(packed);
    this.bytes = new Uint8Array(size);
  }

  /** Takes more packed bytes, and returns the bytes that can be unpacked now. */
  push(more: Uint8Array): Uint8Array<ArrayBuffer> {
    this.packed.set(more, this.arrived);
    this.arrived += more.length;
    const isLast = this.arrived === this.packed.length;
    const from = this.written;
    if (this.read === 0 && (isLast || this.arrived > HEADER + SYMBOL_MAX)) this.begin();
    const end = isLast ? Infinity : this.arrived - SYMBOL_MAX;
    while (this.read > 0 && this.read < end && this.written < this.bytes.length) this.unpackSymbol();
    return this.bytes.subarray(from, this.written);
  }

  /** Returns the sum that distinguishes the unpacked bytes from damaged ones (Adler-32). */
  checkSum(): number {
    let [a, b] = [1, 0];
    for (const byte of this.bytes) {
      a = (a + byte) % 65521;
      b = (b + a) % 65521;
    }
    return b * 65536 + a;
  }

  private begin(): void {
    const parameters = this.packed[0]!;
    this.literalBits = parameters % 9;
    this.literalMask = (1 << (Math.floor(parameters / 9) % 5)) - 1;
    this.placeMask = (1 << Math.floor(parameters / 45)) - 1;
    const contexts = (this.literalMask + 1) << this.literalBits;
    this.probabilities = new Uint16Array(LITERAL + 0x300 * contexts);
    this.probabilities.fill(1 << (PROBABILITY_BITS - 1));
    // The first byte of the code is always 0.
    this.read = HEADER + 1;
    for (let n = 0; n < 4; n++) this.code = ((this.code << 8) | this.packed[this.read++]!) >>> 0;
  }

  private bit(context: number): number {
    const probability = this.probabilities[context]!;
    const bound = (this.range >>> PROBABILITY_BITS) * probability;
    let bit: number;
    if (this.code < bound) {
      this.range = bound;
      this.probabilities[context] = probability + (((1 << PROBABILITY_BITS) - probability) >> RATE);
      bit = 0;
    } else {
      this.range -= bound;
      this.code -= bound;
      this.probabilities[context] = probability - (probability >> RATE);
      bit = 1;
    }
    this.normalise();
    return bit;
  }

  private normalise(): void {
    if (this.range >= 0x100_0000) return;
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | (this.packed[this.read++] ?? 0)) >>> 0;
  }

  /** Returns a number of this many bits, high bit first. */
  private number(context: number, bits: number): number {
    let number = 1;
    for (let n = 0; n < bits; n++) number = (number << 1) | this.bit(context + number);
    return number - (1 << bits);
  }

  /** Returns a number of this many bits, low bit first. */
  private reversed(context: number, bits: number): number {
    let [number, node] = [0, 1];
    for (let n = 0; n < bits; n++) {
      const bit = this.bit(context + node);
      node = (node << 1) | bit;
      number |= bit << n;
    }
    return number;
  }

  /** Returns a number of this many bits that are equally likely to be 0 and 1. */
  private direct(bits: number): number {
    let number = 0;
    for (let n = 0; n < bits; n++) {
      this.range >>>= 1;
      const bit = this.code >= this.range ? 1 : 0;
      if (bit) this.code -= this.range;
      this.normalise();
      number = (number << 1) | bit;
    }
    return number;
  }

  private length(context: number, place: number): number {
    if (this.bit(context) === 0) return 2 + this.number(context + 2 + (place << 3), 3);
    if (this.bit(context + 1) === 0) return 10 + this.number(context + 130 + (place << 3), 3);
    return 18 + this.number(context + 258, 8);
  }

  private distance(length: number): number {
    const slot = this.number(SLOT + (Math.min(length - 2, 3) << 6), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    if (slot < 14) return base + this.reversed(DISTANCE + base - slot, bits);
    return (base >>> 0) + this.direct(bits - 4) * 16 + this.reversed(ALIGN, 4);
  }

  private unpackSymbol(): void {
    const { bytes, recent, written } = this;
    const place = written & this.placeMask;
    if (this.bit(MATCH + (this.state << 4) + place) === 0) return this.unpackLiteral();
    let length: number;
    if (this.bit(REPEAT + this.state) === 0) {
      length = this.length(LENGTH, place);
      recent.unshift(this.distance(length));
      recent.pop();
      this.state = this.state < 7 ? 7 : 10;
    } else {
      const isLong = this.bit(REPEAT_0 + this.state) === 1
        ? this.takeRecent(this.bit(REPEAT_1 + this.state) === 0
          ? 1 : 2 + this.bit(REPEAT_2 + this.state))
        : this.bit(REPEAT_0_LONG + (this.state << 4) + place) === 1;
      length = isLong ? this.length(REPEAT_LENGTH, place) : 1;
      this.state = this.state < 7 ? (isLong ? 8 : 9) : 11;
    }
    const from = written - recent[0]! - 1;
    const end = Math.min(written + length, bytes.length);
    for (let n = written; n < end; n++) bytes[n] = bytes[from + n - written]!;
    this.written = end;
  }

  /** Makes one of the recent distances the last one. */
  private takeRecent(index: number): true {
    this.recent.unshift(...this.recent.splice(index, 1));
    return true;
  }

  private unpackLiteral(): void {
    const { bytes, written, literalBits } = this;
    const before = bytes[written - 1] ?? 0;
    const low = (written & this.literalMask) << literalBits;
    const context = LITERAL + 0x300 * (low + (before >> (8 - literalBits)));
    let symbol = 1;
    if (this.state >= 7) {
      let expected = bytes[written - this.recent[0]! - 1]!;
      while (symbol < 0x100) {
        expected <<= 1;
        const guess = expected & 0x100;
        const bit = this.bit(context + 0x100 + guess + symbol);
        symbol = (symbol << 1) | bit;
        if ((guess !== 0) !== (bit === 1)) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | this.bit(context + symbol);
    bytes[written] = symbol;
    this.written++;
    this.state = this.state < 4 ? 0 : this.state < 10 ? this.state - 3 : this.state - 6;
  }
}
