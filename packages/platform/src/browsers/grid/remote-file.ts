import { Readable } from 'node:stream';
import { Connection } from 'chauffeur/internal';
import { PlatformError } from '../../errors.ts';

/** Bytes that are asked for at once. */
const CHUNK_BYTES = 1024 * 1024;
/** A page that shows a dialog answers nothing. */
const OPEN_MS = 10_000;
const WORLD_NAME = 'chauffeur-files';

type PageSession = NonNullable<ReturnType<Connection['session']>>;

interface Chunk {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * Reads a file on the machine of a browser through that browser: an input that no document holds, in a world that no page
 * sees, is given the file, and the browser reads out what the input has. Undefined when there is no such file.
 */
export async function openRemoteFile(url: string, path: string): Promise<Readable | undefined> {
  const connection = await Connection.open(url, { signal: AbortSignal.timeout(OPEN_MS) });
  const late = setTimeout(() => connection.close(), OPEN_MS);
  try {
    const page = await attachToPage(connection);
    const handle = await openHandle(page, path);
    const first = await firstChunk(page, handle);
    if (first === undefined) connection.close();
    return first === undefined ? undefined : Readable.from(chunks(connection, page, { handle, first }));
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Any page will do; a browser that has none is given one. */
async function attachToPage(connection: Connection): Promise<PageSession> {
  const { browser } = connection;
  const { targetInfos } = await browser.send('Target.getTargets');
  const known = targetInfos.find(({ type }) => type === 'page');
  const { targetId } = known ?? (await browser.send('Target.createTarget', { url: 'about:blank' }));
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const page = connection.session(sessionId);
  if (!page) throw new PlatformError('browser_unreachable', 'The page of a browser went away.');
  return page;
}

/** The name under which the browser reads the file. */
async function openHandle(page: PageSession, path: string): Promise<string> {
  const { frameTree } = await page.send('Page.getFrameTree');
  const { executionContextId } = await page.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: WORLD_NAME,
  });
  const input = await page.send('Runtime.evaluate', {
    expression: `Object.assign(document.createElement('input'), { type: 'file' })`,
    contextId: executionContextId,
  });
  const objectId = input.result.objectId ?? '';
  await page.send('DOM.setFileInputFiles', { files: [path], objectId });
  const file = await page.send('Runtime.callFunctionOn', {
    functionDeclaration: 'function () { return this.files[0]; }',
    objectId,
  });
  const { uuid } = await page.send('IO.resolveBlob', { objectId: file.result.objectId ?? '' });
  return `blob:${uuid}`;
}

/** A file that is not there shows itself only when it is read. */
async function firstChunk(page: PageSession, handle: string): Promise<Chunk | undefined> {
  try {
    return await readChunk(page, handle);
  } catch (error) {
    if (page.isClosed) throw error;
    return undefined;
  }
}

async function readChunk(page: PageSession, handle: string): Promise<Chunk> {
  const { data, base64Encoded, eof } = await page.send('IO.read', { handle, size: CHUNK_BYTES });
  return { bytes: Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8'), isLast: eof };
}

async function* chunks(
  connection: Connection,
  page: PageSession,
  { handle, first }: { readonly handle: string; readonly first: Chunk },
): AsyncGenerator<Buffer> {
  try {
    let chunk = first;
    yield chunk.bytes;
    while (!chunk.isLast) {
      chunk = await readChunk(page, handle);
      yield chunk.bytes;
    }
  } finally {
    connection.close();
  }
}
