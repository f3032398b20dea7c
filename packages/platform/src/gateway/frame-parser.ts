/** Approximate overhead of a frame, so that many small frames count too. */
const FRAME_COST_BYTES = 256;
/** How much of each message to keep. Enough to find the CDP method. */
const BEGINNING_BYTES = 4096;
const CONTINUATION = 0;
const FIRST_CONTROL = 8;

/** Parses a client's WebSocket frames to measure the message that is still arriving. */
export class FrameParser {
  /** Approximate memory of the unfinished message in bytes. 0 if there is none. */
  held = 0;
  /** Bytes of the message so far, including the announced length of its latest frame. */
  size = 0;
  #beginning: Buffer = Buffer.alloc(0);
  #received = 0;
  readonly #header: number[] = [];
  #mask: readonly number[] = [];
  /** Payload length of the current frame, and the number of its bytes that have arrived. */
  #length = 0;
  #at = 0;
  #isLast = false;
  #isControl = false;

  read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#at < this.#length) {
        const piece = chunk.subarray(at, at + this.#length - this.#at);
        this.#take(piece);
        at += piece.length;
      } else {
        this.#header.push(chunk.readUInt8(at));
        at += 1;
        if (this.#header.length === headerLength(this.#header)) this.#begin();
      }
      if (this.#header.length === 0 && this.#at === this.#length) this.#endFrame();
    }
  }

  /** First 4 KiB of the unfinished message, decoded as Latin-1. Undefined until they have arrived. */
  get beginning(): string | undefined {
    return this.#received >= Math.min(BEGINNING_BYTES, this.size) ? this.#beginning.toString('latin1') : undefined;
  }

  #begin(): void {
    const [first = 0, second = 0, ...rest] = this.#header.splice(0);
    const opcode = first & 0x0f;
    const bits = second & 0x7f;
    const lengthBytes = bits === 127 ? 8 : bits === 126 ? 2 : 0;
    this.#length = lengthBytes === 0 ? bits : rest.slice(0, lengthBytes).reduce((sum, byte) => sum * 256 + byte, 0);
    this.#mask = rest.slice(lengthBytes);
    this.#at = 0;
    this.#isControl = opcode >= FIRST_CONTROL;
    this.#isLast = (first & 0x80) !== 0;
    if (this.#isControl) return;
    if (opcode !== CONTINUATION) this.#forget();
    this.held += FRAME_COST_BYTES;
    this.size += this.#length;
  }

  #take(piece: Buffer): void {
    if (!this.#isControl) {
      const missing = piece.subarray(0, Math.max(0, BEGINNING_BYTES - this.#received));
      const shown = missing.map((byte, index) => byte ^ (this.#mask[(this.#at + index) % 4] ?? 0));
      if (shown.length > 0) this.#beginning = Buffer.concat([this.#beginning, shown]);
      this.#received += piece.length;
      this.held += piece.length;
    }
    this.#at += piece.length;
  }

  #endFrame(): void {
    if (this.#isLast && !this.#isControl) this.#forget();
    this.#length = 0;
    this.#at = 0;
    this.#isLast = false;
  }

  #forget(): void {
    this.held = 0;
    this.size = 0;
    this.#received = 0;
    this.#beginning = Buffer.alloc(0);
  }
}

/** Returns the header length in bytes, or 2 until the second byte is known. */
function headerLength([, second]: readonly number[]): number {
  if (second === undefined) return 2;
  const bits = second & 0x7f;
  return 2 + (bits === 127 ? 8 : bits === 126 ? 2 : 0) + ((second & 0x80) === 0 ? 0 : 4);
}
