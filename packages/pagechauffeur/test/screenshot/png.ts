import { inflateSync } from 'node:zlib';

/** A decoded picture. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of a pixel. */
  at(x: number, y: number): readonly [number, number, number, number];
}

/** Decodes a PNG file of 8 bits a channel, as browsers write them. */
export function readPng(file: Buffer): Picture {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = file[25] === 6 ? 4 : 3;
  const rows = unfilter(inflateSync(Buffer.concat(dataChunks(file))), { width, height, channels });
  return {
    width,
    height,
    at: (x, y) => {
      const start = (y * width + x) * channels;
      const channel = (index: number): number => rows[start + index] ?? 0;
      return [channel(0), channel(1), channel(2), channels === 4 ? channel(3) : 255];
    },
  };
}

function dataChunks(file: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      chunks.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  return chunks;
}

/** Undoes the filters of the lines, each of which is told by the byte before its line. */
function unfilter(
  data: Buffer,
  { width, height, channels }: { width: number; height: number; channels: number },
): Buffer {
  const stride = width * channels;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const raw = data[y * (stride + 1) + 1 + x] ?? 0;
      const left = x >= channels ? (rows[y * stride + x - channels] ?? 0) : 0;
      const up = y > 0 ? (rows[(y - 1) * stride + x] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (rows[(y - 1) * stride + x - channels] ?? 0) : 0;
      rows[y * stride + x] = raw + predicted(filter, left, up, corner);
    }
  }
  return rows;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
