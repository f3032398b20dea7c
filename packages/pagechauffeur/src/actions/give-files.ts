import { resolve } from 'node:path';
import type { PageTarget } from '../cdp/page-target.ts';
import type { EventParams } from '../cdp/protocol.ts';
import type { PrepareAction } from '../injected/contract.ts';
import { DriverInvalidArgumentError, DriverLocatorError } from '../errors.ts';
import { deferred } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { clickMouse } from './input/mouse-events.ts';
import type { ReadyElement } from './element-action.ts';
import { type FileUpload, type InputFile, putFiles } from './put-files.ts';

type ChooserOpened = EventParams<'Page.fileChooserOpened'>;

/** Time in ms for a page to open a file chooser after a click. Some pages first send a request. */
const CHOOSER_TIMEOUT_MS = 1000;

/** Elements that are not file inputs are prepared for a click, which may open a file chooser. */
export function preparationForFiles({ takesFiles }: Pick<ReadyElement, 'takesFiles'>): PrepareAction | undefined {
  return takesFiles === 'none' ? 'click' : undefined;
}

/**
 * Passes files to an element: directly if it is a file input, else through the file chooser that a click on the element
 * opens, else as a drop on the element.
 */
export async function giveFiles(progress: Progress, upload: FileUpload): Promise<void> {
  const { page, ready, files } = upload;
  if (ready.takesFiles !== 'none') return putFiles(progress, upload);
  const chooser = await openChooser(progress, ready);
  if (chooser) await answerChooser({ progress, page, ready, chooser }, files);
  else await dropFiles({ progress, page, ready }, files);
}

/** Clicks the element and intercepts its file chooser. Returns `undefined` if none opens within 1 s. */
async function openChooser(
  progress: Progress,
  { world, point, turn }: ReadyElement,
): Promise<ChooserOpened | undefined> {
  const { session } = world;
  const opened = deferred<ChooserOpened>();
  const stop = session.on('Page.fileChooserOpened', (event) => opened.resolve(event));
  await progress.race(session.send('Page.setInterceptFileChooserDialog', { enabled: true }));
  try {
    await progress.race(Promise.all(clickMouse(session, point)));
    return await progress.race(turn.yielding(() => withTimeout(CHOOSER_TIMEOUT_MS, opened.promise)));
  } finally {
    stop();
    await session.send('Page.setInterceptFileChooserDialog', { enabled: false });
  }
}

interface Upload {
  readonly progress: Progress;
  readonly page: PageTarget;
  /** The action's element, prepared for a click. */
  readonly ready: ReadyElement;
}

async function answerChooser(
  { progress, page, ready: button, chooser }: Upload & { readonly chooser: ChooserOpened },
  files: readonly (string | InputFile)[],
): Promise<void> {
  const { backendNodeId, frameId, mode } = chooser;
  if (files.length > 1 && mode === 'selectSingle')
    throw new DriverInvalidArgumentError(
      `The file chooser that ${button.element.tag} opens accepts only one file. Received ${files.length}.`,
      { argument: 'files' },
    );
  const frame = page.frames.frame(frameId);
  if (!frame) throw uploadError(button, ', and the frame that opened its file chooser was removed. Retry the upload');
  if (backendNodeId === undefined)
    throw uploadError(button, ', and its file chooser is not connected to one. Drop the files on the page instead');
  const world = await progress.race(frame.worlds.isolated);
  const { object } = await progress.race(
    world.session.send('DOM.resolveNode', { backendNodeId, executionContextId: world.contextId }),
  );
  const ref = await progress.race(world.call('refOf', { objectId: object.objectId ?? '' }));
  const ready = { ...button, frame, world, element: { ...button.element, ref } };
  await putFiles(progress, { page, ready, files });
}

async function dropFiles({ progress, page, ready }: Upload, files: readonly (string | InputFile)[]): Promise<void> {
  const noChooser = `, a click on it opened no file chooser within ${CHOOSER_TIMEOUT_MS / 1000} s`;
  const obstacle = dropObstacle(files, page);
  if (obstacle !== undefined) throw uploadError(ready, `${noChooser}, and ${obstacle}`);
  const paths = files.filter((file) => typeof file === 'string').map((path) => resolve(path));
  const { session } = ready.world;
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel'): Promise<unknown> =>
    progress.race(session.send('Input.dispatchDragEvent', { type, ...ready.point, data }));
  await Promise.all([progress.race(ready.world.call('watchDrags')), drag('dragEnter')]);
  await drag('dragOver');
  const isTaken = await progress.race(ready.world.call('takesDrop'));
  await drag(isTaken ? 'drop' : 'dragCancel');
  if (!isTaken)
    throw uploadError(ready, `${noChooser}, and it does not accept dropped files. Choose the file input itself`);
}

/** Returns why the files cannot be dropped, with advice. `undefined` if they can. CDP drops files only by path. */
export function dropObstacle(
  files: readonly (string | InputFile)[],
  { sharesFiles }: Pick<PageTarget, 'sharesFiles'>,
): string | undefined {
  if (files.length === 0) return 'no files were passed. Pass a file to drop, or clear the file input itself';
  if (files.some((file) => typeof file !== 'string'))
    return 'only paths can be dropped, not contents. Pass file paths, or choose the file input itself';
  if (!sharesFiles)
    return 'a browser that the driver did not start may not be able to read local paths. Choose the file input itself, which receives the contents of the files';
  return undefined;
}

function uploadError({ element, target }: ReadyElement, why: string): DriverLocatorError {
  return new DriverLocatorError(`Cannot upload to ${element.tag}: it is not a file input${why}.`, {
    selector: target.label,
  });
}
