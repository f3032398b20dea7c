/** Approximate overhead of a frame, so that many small frames count as well. */
const FRAME_COST_BYTES = 256;
/** Number of leading bytes that identify a message. */
const BEGINNING_BYTES = 4096;
const CONTINUATION = 0;
const FIRST_CONTROL = 8;

/** Parses the WebSocket frames of a client to track the unfinished message. */
export class FrameParser {
  /** Memory held by the unfinished message in bytes. 0 if there is none. */
  held = 0;
  /** Size of the message so far, including the announced size of its last frame. */
  size = 0;
  /** Its first bytes. */
  #beginning: Buffer = Buffer.alloc(0);
  #received = 0;
  readonly #header: number[] = [];
  #mask: readonly number[] = [];
  /** Length of the current frame, and the bytes received of it. */
  #length = 0;
  #at = 0;
  #isLast = false;
  #isControl = false;

  /** Processes bytes from the network. */
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

  /** Start of the unfinished message as text. Undefined until enough has arrived. */
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

/** Length of a frame header, as far as it is known. */
function headerLength([, second]: readonly number[]): number {
  if (second === undefined) return 2;
  const bits = second & 0x7f;
  return 2 + (bits === 127 ? 8 : bits === 126 ? 2 : 0) + ((second & 0x80) === 0 ? 0 : 4);
}
