import { Readable } from 'node:stream';
import { Connection } from 'pagechauffeur/internal';
import { PlatformError } from '../../errors.ts';
import type { DownloadedFile } from '../browser-backend.ts';

/** Size of one read in bytes. */
const CHUNK_BYTES = 1024 * 1024;
/** A page with an open dialog does not answer, and a navigating page on a busy machine answers late. */
const OPEN_MS = 30_000;
const WORLD_NAME = 'chauffeur-files';
/** Groups the objects of one attempt, to release them if it fails. The objects of the last attempt end with the connection. */
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
 * Reads a file on a remote browser's machine through the browser: sets it on a detached file input in an isolated world
 * that pages
 * cannot see, and reads the input. Resolves with `undefined` if the file does not exist.
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

/** The input is lost if its page navigates or closes. Tries again while there is time. */
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

/** Any page will do. Creates one if there is none. */
async function attachToPage(connection: Connection): Promise<PageSession> {
  const { browser } = connection;
  const { targetInfos } = await browser.send('Target.getTargets');
  const known = targetInfos.find(({ type }) => type === 'page');
  const { targetId } = known ?? (await browser.send('Target.createTarget', { url: 'about:blank' }));
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const page = connection.session(sessionId);
  if (!page) throw new PlatformError('browser_unreachable', 'The page for reading the file was closed.');
  return page;
}

/** Returns the page's document, or `undefined` if it has closed. */
async function documentOf(page: PageSession): Promise<{ readonly id: string; readonly loaderId: string } | undefined> {
  try {
    return (await page.send('Page.getFrameTree')).frameTree.frame;
  } catch {
    // Tries another page unless the browser is gone.
    return undefined;
  }
}

/** Resolves with `undefined` if the file does not exist or the document is gone. Only reading shows that a file does not exist. */
async function openAt(page: PageSession, path: string, frameId: string): Promise<OpenedFile | undefined> {
  try {
    const handle = await openHandle(page, path, frameId);
    return { page, handle, first: await readChunk(page, handle) };
  } catch {
    // If the document still exists, the page itself rejected the call.
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
  // The browser runs these commands in order. They are sent together, so that a navigation is less likely to interrupt them.
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

/** Destroying the stream closes the connection, even if nobody has read from it. */
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
