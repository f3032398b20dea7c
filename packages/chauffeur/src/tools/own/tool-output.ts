import { inspect } from 'node:util';
import type { ModelImage } from '../../model/model-client.ts';
import { isRecord } from '../../util/is-record.ts';
import type { ToolOutcome } from '../tool-outcome.ts';

/** A part of what a tool that is not ours answers. */
type Part = { readonly text: string } | { readonly image: ModelImage };

/** What a tool of the user's answered: texts are told as data, pictures shown. */
export function ownOutput(name: string, output: unknown): ToolOutcome {
  const isPart = isRecord(output) && typeof output['type'] === 'string' && 'data' in output;
  return outcomeOfParts(name, [isPart ? contentPart(output) : plainPart(output)]);
}

/** What `toModelOutput` of the AI SDK made of an answer. */
export function toldOutput(name: string, output: unknown): ToolOutcome {
  if (!isRecord(output)) return ownOutput(name, output);
  const { type, value, reason } = output;
  if (type === 'execution-denied') return { text: `${name} was refused.`, quoted: textOf(reason), isError: true };
  const parts = type === 'content' && Array.isArray(value) ? value.map(contentPart) : [plainPart(value)];
  const isError = type === 'error-text' || type === 'error-json';
  return { ...outcomeOfParts(name, parts), ...(isError && { isError }) };
}

/** One outcome of several parts. */
export function outcomeOfParts(name: string, parts: readonly Part[]): ToolOutcome {
  const images = parts.flatMap((part) => ('image' in part ? [part.image] : []));
  const quoted = parts.flatMap((part) => ('text' in part && part.text !== '' ? [part.text] : [])).join('\n');
  const text = quoted === '' && images.length === 0 ? `${name} has answered nothing.` : `${name} has answered:`;
  return { text, ...(quoted !== '' && { quoted }), ...(images.length > 0 && { images }) };
}

/** A part of the kinds that the AI SDK and the protocol for tools know; what cannot be shown is told of. */
export function contentPart(part: unknown): Part {
  if (!isRecord(part)) return plainPart(part);
  const { type, text, data } = part;
  if (type === 'text') return { text: textOf(text) };
  const mediaType = textOf(part['mediaType'] ?? part['mimeType'] ?? '');
  const bytes = isRecord(data) ? (data['data'] ?? data['text']) : data;
  if (isRecord(data) && data['type'] === 'text') return { text: textOf(bytes) };
  if (bytes === undefined) return plainPart(part);
  return imagePart(bytes, mediaType) ?? { text: `(${mediaType || 'data'}, which cannot be shown)` };
}

function plainPart(value: unknown): Part {
  if (value instanceof Uint8Array) return imagePart(value, '') ?? { text: `(${value.length} bytes)` };
  return { text: textOf(value) };
}

/** A picture that models take: PNG or JPEG, known by how it begins, whatever it is said to be. */
function imagePart(bytes: unknown, mediaType: string): Part | undefined {
  if (!/^(image(\/|$)|$)/.test(mediaType)) return undefined;
  const data = bytesOf(bytes);
  const known = data && SIGNATURES.find(([, signature]) => signature.every((byte, index) => data[index] === byte));
  return known && { image: { data, mediaType: known[0] } };
}

const SIGNATURES = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
] as const;

function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (typeof value !== 'string') return undefined;
  return Buffer.from(value.replace(/^data:[^,]*,/, ''), 'base64');
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : jsonOf(value);
}

/** What a tool did is done, so what JSON cannot say of its answer is told in another way: big numbers as texts, circles as Node prints them. */
function jsonOf(value: unknown): string {
  try {
    const json: string | undefined = JSON.stringify(value, (_key, field: unknown) =>
      typeof field === 'bigint' ? String(field) : field,
    );
    return json ?? '';
  } catch {
    return inspect(value, { depth: 4 });
  }
}
