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
import { type FileGift, type InputFile, putFiles } from './put-files.ts';

type ChooserOpened = EventParams<'Page.fileChooserOpened'>;

/** Time in ms for a page to open a file chooser after a click. Some pages first send a request. */
const CHOOSER_MS = 1000;

/** Returns `click` for an element that is not a file input, because a click on it may open a file chooser. */
export function preparationForFiles({ takesFiles }: Pick<ReadyElement, 'takesFiles'>): PrepareAction | undefined {
  return takesFiles === 'none' ? 'click' : undefined;
}

/**
 * Passes files to an element: directly if it is a file input, else through the file chooser that a click on the element
 * opens, else as a drop on the element.
 */
export async function giveFiles(progress: Progress, gift: FileGift): Promise<void> {
  const { page, ready: place, files } = gift;
  if (place.takesFiles !== 'none') return putFiles(progress, gift);
  const chooser = await openChooser(progress, place);
  if (chooser) await answerChooser({ progress, page, place, chooser }, files);
  else await dropFiles({ progress, page, place }, files);
}

/**
 * Clicks the element and intercepts the file chooser, so that the browser shows no dialog. Returns `undefined` if none
 * opens within 1 s.
 */
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
    return await progress.race(turn.yielding(() => withTimeout(CHOOSER_MS, opened.promise)));
  } finally {
    stop();
    await session.send('Page.setInterceptFileChooserDialog', { enabled: false });
  }
}

interface Offer {
  readonly progress: Progress;
  readonly page: PageTarget;
  /** The element of the action, prepared for a click. */
  readonly place: ReadyElement;
}

async function answerChooser(
  { progress, page, place, chooser }: Offer & { readonly chooser: ChooserOpened },
  files: readonly (string | InputFile)[],
): Promise<void> {
  const { backendNodeId, frameId, mode } = chooser;
  if (files.length > 1 && mode === 'selectSingle')
    throw new DriverInvalidArgumentError(
      `The file chooser that ${place.element.tag} opens accepts only one file. Received ${files.length}.`,
      { argument: 'files' },
    );
  const frame = page.frames.frame(frameId);
  if (!frame || backendNodeId === undefined)
    throw takesNone(place, 'the file chooser that it opens belongs to no input');
  const world = await progress.race(frame.worlds.isolated);
  const { object } = await progress.race(
    world.session.send('DOM.resolveNode', { backendNodeId, executionContextId: world.contextId }),
  );
  const ref = await progress.race(world.call('refOf', { objectId: object.objectId ?? '' }));
  const ready = { ...place, frame, world, element: { ...place.element, ref } };
  await putFiles(progress, { page, ready, files });
}

async function dropFiles({ progress, page, place }: Offer, files: readonly (string | InputFile)[]): Promise<void> {
  const paths = files.filter((file) => typeof file === 'string').map((path) => resolve(path));
  if (paths.length < files.length || paths.length === 0 || !page.sharesFiles)
    throw takesNone(
      place,
      'a click on it opens no file chooser, and only files on the machine of the browser can be dropped on it',
    );
  const { session } = place.world;
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel'): Promise<unknown> =>
    progress.race(session.send('Input.dispatchDragEvent', { type, ...place.point, data }));
  await Promise.all([progress.race(place.world.call('watchDrags')), drag('dragEnter')]);
  await drag('dragOver');
  const isTaken = await progress.race(place.world.call('takesDrop'));
  await drag(isTaken ? 'drop' : 'dragCancel');
  if (!isTaken) throw takesNone(place, 'a click on it opens no file chooser, and it does not accept dropped files');
}

function takesNone({ element, target }: ReadyElement, why: string): DriverLocatorError {
  return new DriverLocatorError(`Cannot upload to ${element.tag}: it is not a file input; ${why}.`, {
    selector: target.label,
  });
}
