import { Readable } from 'node:stream';
import { Connection } from 'pagechauffeur/internal';
import { PlatformError } from '../../errors.ts';
import type { DownloadedFile } from '../browser-backend.ts';

/** Bytes that are asked for at once. */
const CHUNK_BYTES = 1024 * 1024;
/** A page that shows a dialog answers nothing, and one that goes from document to document on a busy machine not soon. */
const OPEN_MS = 30_000;
const WORLD_NAME = 'chauffeur-files';
/** The objects of one try, released by this name where it failed; those of the last one go with the connection. */
const OBJECT_GROUP = 'chauffeur-files';

type PageSession = NonNullable<ReturnType<Connection['session']>>;

interface Chunk {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** A file as the browser reads it. */
interface FileHandle {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** A file that is being read. */
interface OpenedFile {
  readonly page: PageSession;
  readonly handle: FileHandle;
  readonly first: Chunk;
}

/**
 * Reads a file on the machine of a browser through that browser: an input that no document holds, in a world that no page
 * sees, is given the file, and the browser reads out what the input has. Undefined when there is no such file.
 */
export async function openRemoteFile(url: string, path: string): Promise<DownloadedFile | undefined> {
  const connection = await Connection.open(url, { signal: AbortSignal.timeout(OPEN_MS) });
  const late = setTimeout(() => connection.close(), OPEN_MS);
  try {
    const opened = await openIn(connection, path);
    if (opened === undefined) connection.close();
    return opened && { size: opened.handle.size, content: contentOf(connection, opened) };
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** A page that goes on to another document, or closes, takes the input along: then it is tried anew, while there is time. */
async function openIn(connection: Connection, path: string): Promise<OpenedFile | undefined> {
  let page = await attachToPage(connection);
  for (;;) {
    if (page.isClosed) page = await attachToPage(connection);
    const document = await documentOf(page);
    const opened = document && (await openAt(page, path, document.id));
    if (opened) return opened;
    if (document && (await documentOf(page))?.loaderId === document.loaderId) return undefined;
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

/** What a page shows; undefined when it has closed. */
async function documentOf(page: PageSession): Promise<{ readonly id: string; readonly loaderId: string } | undefined> {
  try {
    return (await page.send('Page.getFrameTree')).frameTree.frame;
  } catch {
    // Another page is asked, unless the whole browser is gone.
    return undefined;
  }
}

/** Undefined when there is no such file, which shows itself only when it is read, or the document has gone meanwhile. */
async function openAt(page: PageSession, path: string, frameId: string): Promise<OpenedFile | undefined> {
  try {
    const handle = await openHandle(page, path, frameId);
    return { page, handle, first: await readChunk(page, handle) };
  } catch {
    // Whether a page that is still there refused, is seen by its document.
    await Promise.allSettled([page.send('Runtime.releaseObjectGroup', { objectGroup: OBJECT_GROUP })]);
    return undefined;
  }
}

async function openHandle(page: PageSession, path: string, frameId: string): Promise<FileHandle> {
  const { executionContextId } = await page.send('Page.createIsolatedWorld', { frameId, worldName: WORLD_NAME });
  const input = await page.send('Runtime.evaluate', {
    expression: `Object.assign(document.createElement('input'), { type: 'file' })`,
    contextId: executionContextId,
    objectGroup: OBJECT_GROUP,
  });
  const objectId = input.result.objectId ?? '';
  // The browser does them in this order; the sooner all is done, the less a page that goes on can spoil.
  const [, file] = await Promise.all([
    page.send('DOM.setFileInputFiles', { files: [path], objectId }),
    page.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function () { return this.files[0]; }',
      objectId,
      objectGroup: OBJECT_GROUP,
    }),
  ]);
  const fileId = file.result.objectId ?? '';
  const [{ uuid }, size] = await Promise.all([
    page.send('IO.resolveBlob', { objectId: fileId }),
    page.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function () { return this.size; }',
      objectId: fileId,
      returnByValue: true,
    }),
  ]);
  return { name: `blob:${uuid}`, size: Number(size.result.value) };
}

async function readChunk(page: PageSession, { name }: FileHandle): Promise<Chunk> {
  const { data, base64Encoded, eof } = await page.send('IO.read', { handle: name, size: CHUNK_BYTES });
  return { bytes: Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8'), isLast: eof };
}

/** The connection goes with it, also when nobody has begun to read it. */
function contentOf(connection: Connection, opened: OpenedFile): Readable {
  return Readable.from(chunks(opened)).once('close', () => connection.close());
}

async function* chunks({ page, handle, first }: OpenedFile): AsyncGenerator<Buffer> {
  let chunk = first;
  yield chunk.bytes;
  while (!chunk.isLast) {
    chunk = await readChunk(page, handle);
    yield chunk.bytes;
  }
}
