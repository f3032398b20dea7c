import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** A file of DevTools, as the Chromium that brings it along serves it. */
export interface DevToolsFile {
  readonly type: string;
  readonly content: Readable;
}

/** Folder of the DevTools that a browser with this DevTools socket brings along. */
export function devToolsFolder(url: string): URL {
  return new URL('/devtools/', url.replace(/^ws/, 'http'));
}

/** Fetches a file of that folder; undefined when there is none, which Chromium answers with an empty one. */
export async function fetchDevToolsFile(folder: URL, name: string): Promise<DevToolsFile | undefined> {
  const { ok, body, headers } = await fetch(new URL(name, folder), { redirect: 'error' });
  const isThere = ok && headers.get('content-length') !== '0';
  if (!isThere) await body?.cancel();
  if (!isThere || !body) return undefined;
  const type = headers.get('content-type') ?? 'application/octet-stream';
  return { type, content: Readable.fromWeb(body as ReadableStream<Uint8Array>) };
}
