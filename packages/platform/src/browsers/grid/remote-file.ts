import { Readable } from 'node:stream';
import { Connection } from 'pagechauffeur/internal';
import { PlatformError } from '../../errors.ts';
import type { DownloadedFile } from '../browser-backend.ts';

const CHUNK_BYTES = 1024 * 1024;
/** A page does not respond while a dialog is open, and responds late while it navigates on a busy machine. */
const OPEN_MS = 30_000;
const WORLD_NAME = 'chauffeur-files';
/** Groups the objects of one attempt, so that a failed attempt can release them. */
const OBJECT_GROUP = 'chauffeur-files';

type PageSession = NonNullable<ReturnType<Connection['session']>>;

interface Chunk {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Handle for `IO.read`. */
interface FileHandle {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

interface OpenedFile {
  readonly page: PageSession;
  readonly handle: FileHandle;
  readonly first: Chunk;
}

/**
 * Reads a file on a remote browser's machine over CDP: sets it on a detached `<input type="file">` in an isolated
 * world, which pages cannot see, and reads the blob. Resolves with `undefined` if the file does not exist.
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

/** A navigation or a closed page destroys the input. Retries until the connection closes after 30 s. */
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

/** Attaches to any page. Creates one if there is none. */
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

/** Returns `undefined` if the page has closed. */
async function documentOf(page: PageSession): Promise<{ readonly id: string; readonly loaderId: string } | undefined> {
  try {
    return (await page.send('Page.getFrameTree')).frameTree.frame;
  } catch {
    // `openIn` attaches to another page, which fails if the browser is gone.
    return undefined;
  }
}

/**
 * Resolves with `undefined` if the document is gone or the file does not exist. Only reading reveals a missing file.
 */
async function openAt(page: PageSession, path: string, frameId: string): Promise<OpenedFile | undefined> {
  try {
    const handle = await openHandle(page, path, frameId);
    return { page, handle, first: await readChunk(page, handle) };
  } catch {
    // Releases what this attempt created, if the document still exists.
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
  // Sends both commands together, so that a navigation is less likely between them. The browser runs them in order.
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

/** Destroying the stream closes the connection, even if nobody read from the stream. */
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
