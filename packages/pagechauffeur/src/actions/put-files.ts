import { shorten } from '../util/truncate.ts';
import { constants } from 'node:fs';
import { access, opendir, readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { PageTarget } from '../cdp/page-target.ts';
import { DriverInvalidArgumentError, DriverLocatorError } from '../errors.ts';
import type { SentFile } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import type { ReadyElement } from './element-action.ts';
import { valuesThen } from './values-then.ts';

/** A file for a file input, passed as content instead of a path. */
export interface InputFile {
  /** File name without folders. */
  name: string;
  /** Media type; default `application/octet-stream`. */
  mimeType?: string;
  buffer: Uint8Array;
}

export interface FileUpload {
  readonly page: PageTarget;
  readonly ready: ReadyElement;
  readonly files: readonly (string | InputFile)[];
}

/** Bytes per message. A multiple of 3, so that the Base64 parts can be concatenated without padding between them. */
const PART_BYTES = 3 * 2 ** 20;

let lastBytesId = 0;

/** Throws if a path is not readable. The browser accepts any path, and the page would fail later. */
export async function checkReadable(files: readonly (string | InputFile)[]): Promise<void> {
  await Promise.all(pathsIn(files).map(checkPath));
}

/**
 * Sets the files of a file input: by path if the browser can read local files, else by content. Throws if there are
 * several files and the input accepts one, because the browser would silently drop the others.
 */
export async function putFiles(progress: Progress, { page, ready, files }: FileUpload): Promise<void> {
  if (ready.takesFiles === 'one' && files.length > 1)
    throw new DriverInvalidArgumentError(
      `${ready.element.tag} accepts only one file. Received ${files.length}. Only an input with the attribute \`multiple\` accepts several files.`,
      { argument: 'files' },
    );
  const paths = pathsIn(files);
  if (paths.length === files.length && paths.length > 0 && page.sharesFiles) return choosePaths(progress, ready, paths);
  const contents = await progress.race(Promise.all(files.map(contentOf)));
  await chooseContents(progress, ready, contents);
}

function pathsIn(files: readonly (string | InputFile)[]): string[] {
  return files.filter((file) => typeof file === 'string').map((path) => resolve(path));
}

async function checkPath(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
  } catch (error) {
    throw new DriverInvalidArgumentError(
      `Cannot read the file ${shorten(path)}. Check that it exists and is readable.`,
      {
        argument: 'files',
        cause: error,
      },
    );
  }
}

async function choosePaths(progress: Progress, ready: ReadyElement, files: string[]): Promise<void> {
  const { world, element, target } = ready;
  const handle = await progress.race(world.callForHandle('element', { ref: element.ref }));
  if (!handle)
    throw new DriverLocatorError(`${element.tag} was removed from the page before the files were set.`, {
      selector: target.label,
    });
  const isLate = (await Promise.all(files.map(holdsFiles))).some(Boolean);
  const chosen = isLate ? awaitFiles(progress, ready) : undefined;
  chosen?.catch(ignoreRejection);
  await progress.race(world.session.send('DOM.setFileInputFiles', { files, objectId: handle.objectId }));
  world.session.send('Runtime.releaseObject', { objectId: handle.objectId }).catch(ignoreRejection);
  await chosen;
}

/** Time in ms for the browser to list the files of a selected folder. */
const FOLDER_TIMEOUT_MS = 10_000;

async function awaitFiles(progress: Progress, { world, element }: ReadyElement): Promise<void> {
  const timeout = Math.min(FOLDER_TIMEOUT_MS, progress.remaining);
  await world.start('awaitFiles', { ref: element.ref, timeout }).within(progress);
}

async function holdsFiles(path: string): Promise<boolean> {
  if (!(await stat(path)).isDirectory()) return false;
  for await (const entry of await opendir(path, { recursive: true })) if (entry.isFile()) return true;
  return false;
}

/** Sends the contents, from which the injected script creates `File` objects. */
async function chooseContents(progress: Progress, ready: ReadyElement, files: readonly Content[]): Promise<void> {
  const sent = await Promise.all(files.map((file) => sendContent(progress, ready, file)));
  valuesThen(ready, await progress.race(ready.world.call('setFiles', ready.element.ref, sent)));
}

interface Content {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

async function contentOf(file: string | InputFile): Promise<Content> {
  if (typeof file === 'string') {
    return { name: basename(file), mimeType: mimeTypeOf(file), bytes: await readFile(resolve(file)) };
  }
  return { name: file.name, mimeType: file.mimeType ?? 'application/octet-stream', bytes: file.buffer };
}

async function sendContent(
  progress: Progress,
  { world }: ReadyElement,
  { name, mimeType, bytes }: Content,
): Promise<SentFile> {
  lastBytesId += 1;
  const bytesId = lastBytesId;
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    const part = Buffer.from(bytes.subarray(start, start + PART_BYTES)).toString('base64');
    await progress.race(world.call('receiveBytes', bytesId, part));
  }
  return { name, mimeType, bytesId };
}

/** By extension. Needed only for contents: for paths, the browser determines the type. */
const MIME_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  xml: 'text/xml',
  zip: 'application/zip',
};

function mimeTypeOf(path: string): string {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return MIME_TYPES[ending] ?? 'application/octet-stream';
}
