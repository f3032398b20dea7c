import { inspect } from 'node:util';
import type { ModelImage } from '../model/model-client.ts';

export interface ReadableData {
  readonly text: string;
  readonly images?: readonly ModelImage[];
}

/** Image types that models accept, with their first bytes. */
const SIGNATURES = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
] as const;
const MAX_SIGNATURE_LENGTH = 4;

/**
 * Converts data to text: strings as they are, everything else as JSON. Extracts PNG and JPEG images. Replaces other
 * bytes with their count.
 */
export function readableData(value: unknown): ReadableData {
  if (value === undefined || value === null) return { text: '' };
  const bytes = bytesIn(value);
  const image = bytes && imageOf(bytes);
  if (image) return { text: '', images: [image] };
  if (bytes) return { text: byteCount(bytes) };
  return typeof value === 'string' ? { text: value } : readableJson(value);
}

/** Like {@link readableData}, but strings are quoted. */
export function readableJson(value: unknown): ReadableData {
  const images: ModelImage[] = [];
  return { text: jsonOf(value, images), ...(images.length > 0 && { images }) };
}

/** Returns `undefined` if the bytes are neither PNG nor JPEG. */
export function imageOf(data: Uint8Array): ModelImage | undefined {
  const known = SIGNATURES.find(([, signature]) => signature.every((byte, index) => data[index] === byte));
  return known && { data, mediaType: known[0] };
}

/**
 * Returns the bytes of a typed array, an `ArrayBuffer`, a `Buffer` in JSON form, a data URL, or a number array that is
 * an image.
 */
export function bytesIn(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof URL) return bytesIn(value.href);
  if (typeof value === 'string') return bytesOfDataUrl(value);
  return isByteList(value) ? Uint8Array.from(value) : bytesOfJson(value);
}

function bytesOfDataUrl(text: string): Uint8Array | undefined {
  const [, base64] = /^data:[^,]{0,200};base64,([\w+/=-]+)$/.exec(text) ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

/** The JSON form of a `Buffer`. */
function bytesOfJson(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'Buffer') return undefined;
  return 'data' in value && areBytes(value.data) ? Uint8Array.from(value.data) : undefined;
}

/** True if the numbers start like an image. Other number arrays are data. */
function isByteList(value: unknown): value is readonly number[] {
  return areBytes(value) && imageOf(Uint8Array.from(value.slice(0, MAX_SIGNATURE_LENGTH))) !== undefined;
}

function areBytes(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((item) => Number.isInteger(item) && item >= 0 && item < 256);
}

function byteCount({ byteLength }: Uint8Array): string {
  return `(${byteLength} bytes)`;
}

function jsonOf(value: unknown, images: ModelImage[]): string {
  const plain = withoutBytes(value, { images, copies: new Map() });
  try {
    const json: string | undefined = JSON.stringify(plain, (_key, field: unknown) =>
      typeof field === 'bigint' ? String(field) : field,
    );
    return json ?? String(plain);
  } catch {
    // JSON cannot represent the data, for example because of a cycle. The tool has run, so this must not fail.
    return inspect(plain, { depth: 4 });
  }
}

interface Copying {
  readonly images: ModelImage[];
  /** Maps objects to their copies, so that cycles are preserved. */
  readonly copies: Map<object, object>;
}

/** Copies data like `JSON.stringify`, with `(image 1)` or `(512 bytes)` in place of bytes. */
function withoutBytes(value: unknown, copying: Copying): unknown {
  const bytes = bytesIn(value);
  if (bytes) return describeBytes(bytes, copying.images);
  const data = hasToJson(value) ? value.toJSON() : value;
  if (typeof data !== 'object' || data === null) return data;
  const known = copying.copies.get(data);
  if (known) return known;
  const copy = Array.isArray(data) ? [] : {};
  copying.copies.set(data, copy);
  for (const [name, field] of Object.entries(data)) {
    const property = { value: withoutBytes(field, copying), enumerable: true, writable: true, configurable: true };
    Object.defineProperty(copy, name, property);
  }
  return copy;
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}

function describeBytes(bytes: Uint8Array, images: ModelImage[]): string {
  const image = imageOf(bytes);
  if (!image) return byteCount(bytes);
  images.push(image);
  return `(image ${images.length})`;
}
