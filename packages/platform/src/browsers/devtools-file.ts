import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

export interface DevToolsFile {
  readonly type: string;
  readonly content: Readable;
}

/** Returns the URL under which the browser with this WebSocket URL serves the DevTools frontend. */
export function devToolsFolder(url: string): URL {
  return new URL('/devtools/', url.replace(/^ws/, 'http'));
}

/** Fetches a DevTools file. Resolves with `undefined` if it does not exist: Chromium responds with an empty file. */
export async function fetchDevToolsFile(folder: URL, name: string): Promise<DevToolsFile | undefined> {
  const { ok, body, headers } = await fetch(new URL(name, folder), { redirect: 'error' });
  const hasContent = ok && headers.get('content-length') !== '0';
  if (!hasContent) await body?.cancel();
  if (!hasContent || !body) return undefined;
  const type = headers.get('content-type') ?? 'application/octet-stream';
  return { type, content: Readable.fromWeb(body as ReadableStream<Uint8Array>) };
}
