import { isRecord } from '../../util/is-record.ts';
import { bytesIn, imageOf, readableData, type ReadableData } from '../readable-data.ts';
import type { ToolOutcome } from '../tool-outcome.ts';

/** Converts the return value of a custom tool. */
export function outcomeFromData(name: string, output: unknown): ToolOutcome {
  const isPart = isRecord(output) && typeof output['type'] === 'string' && 'data' in output;
  return outcomeOfParts(name, [isPart ? contentPart(output) : readableData(output)]);
}

/** Converts the return value of `toModelOutput`. */
export function outcomeFromOutput(name: string, output: unknown): ToolOutcome {
  if (!isRecord(output)) return outcomeFromData(name, output);
  const { type, value, reason } = output;
  if (type === 'execution-denied') {
    return { text: `${name} was denied.`, quoted: readableData(reason).text, isError: true };
  }
  const parts = type === 'content' && Array.isArray(value) ? value.map(contentPart) : [readableData(value)];
  const isError = type === 'error-text' || type === 'error-json';
  return { ...outcomeOfParts(name, parts), ...(isError && { isError }) };
}

export function outcomeOfParts(name: string, parts: readonly ReadableData[]): ToolOutcome {
  const images = parts.flatMap((part) => part.images ?? []);
  const quoted = parts
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n');
  const text = quoted === '' && images.length === 0 ? `${name} returned nothing.` : `${name} returned:`;
  return { text, ...(quoted !== '' && { quoted }), ...(images.length > 0 && { images }) };
}

/** Converts a content part from the AI SDK or MCP. Describes a part that is neither text nor an image. */
export function contentPart(part: unknown): ReadableData {
  if (!isRecord(part)) return readableData(part);
  const { type, text, data } = part;
  if (type === 'text') return readableData(text);
  const file = isTagged(data) ? data : part;
  if (file['type'] === 'text') return readableData(file['text']);
  const source = file['data'] ?? file['url'];
  if (source === undefined) return readableData(part);
  const mediaType = String(part['mediaType'] ?? part['mimeType'] ?? '');
  const image = IMAGE_OR_UNKNOWN_TYPE.test(mediaType) ? imageFrom(source) : undefined;
  return image
    ? { text: '', images: [image] }
    : { text: `(${mediaType || 'data'}${addressOf(source)}, which cannot be shown)` };
}

const IMAGE_OR_UNKNOWN_TYPE = /^(?:image(?:\/|$)|$)/;

/** True for the current format of the AI SDK, such as `{ type: 'data', data }` or `{ type: 'url', url }`. */
function isTagged(data: unknown): data is Readonly<Record<string, unknown>> {
  return isRecord(data) && typeof data['type'] === 'string' && bytesIn(data) === undefined;
}

function imageFrom(source: unknown): ReturnType<typeof imageOf> {
  const bytes = bytesIn(source) ?? (typeof source === 'string' ? Buffer.from(source, 'base64') : undefined);
  return bytes && imageOf(bytes);
}

function addressOf(source: unknown): string {
  const text = source instanceof URL ? source.href : source;
  return typeof text === 'string' && /^https?:/i.test(text) ? ` at ${text}` : '';
}
