import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { onCurrentDocument } from '../cdp/on-current-document.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import {
  ContentFrameNotFoundError,
  DriverElementNotFoundError,
  type DriverError,
  DriverInvalidArgumentError,
  DriverShadowRootMissingError,
  XPathResolutionError,
} from '../errors.ts';
import type { ElementTarget, FrameSnapshotOptions, WrongSelector } from '../injected/contract.ts';
import { PAGE_BOUNDS } from '../page-bounds.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { assembleSnapshot } from './assemble-snapshot.ts';
import { completeSnapshot, markAsRead } from './complete-snapshot.ts';
import { findInFrames } from './find-in-frames.ts';
import { type Followed, followSelector } from './follow-selector.ts';
import { FRAME_DOCUMENT_WAIT_MS, frameAnswer } from '../cdp/frame-answer.ts';
import { lackingFrameError, unreachableFrameError } from '../cdp/frame-errors.ts';
import { FramePart, numberInFrame } from './frame-part.ts';
import { type IgnoredParts, ignoredParts } from './ignored-parts.ts';
import { shownFrameIds } from './join-frames.ts';
import { isAbsoluteXPath, isXPath } from './xpaths.ts';
import type { Snapshot, SnapshotOptions, TreeOptions } from './snapshot.ts';
import type { Log } from '../util/log.ts';

/** Reads the page and, by default, its frames. Starts again if the document is replaced meanwhile. */
export function takeSnapshot(
  progress: Progress,
  page: PageTarget,
  options: SnapshotOptions & TreeOptions = {},
): Promise<Snapshot> {
  return onCurrentDocument(progress, () => snapshotOnce(progress, page, options));
}

async function snapshotOnce(
  progress: Progress,
  page: PageTarget,
  options: SnapshotOptions & TreeOptions,
): Promise<Snapshot> {
  markAsRead(page);
  const [root, ignored] = await Promise.all([
    scopeRoot(progress, page, options),
    ignoredParts(progress, page, options.ignoreSelectors ?? []),
  ]);
  const frames = options.includeIframes === false ? [root.frame] : [...root.frame.subtree()];
  await progress.race(Promise.all(frames.map(adopted)));
  const silent = new Set<string>();
  const share = (options.tokenBudget ?? Infinity) / frames.length;
  const mostText = Math.floor(PAGE_BOUNDS.pageText / frames.length);
  const wanted: Wanted = { root, ignored, options, share, mostText, silent };
  const take = (frame: FrameNode): Promise<FramePart | undefined> => framePart(page, frame, wanted);
  const isCut = options.selector !== undefined || options.ignoreSelectors !== undefined;
  const taken = isCut && frames.length > 1 ? partsShown(page, root.frame, take) : Promise.all(frames.map(take));
  const parts = (await progress.race(taken)).filter((part) => part !== undefined);
  return assembleSnapshot(root.frame, { parts, silent }, options);
}

/**
 * Waits until the parent frame knows this frame. A parent in another process may not respond, so this has a timeout.
 */
async function adopted(frame: FrameNode): Promise<void> {
  const isInOtherProcess = frame.parent !== null && frame.parent.localRoot.parent !== null;
  await (isInOtherProcess ? withTimeout(FRAME_DOCUMENT_WAIT_MS, frame.adopted) : frame.adopted);
}

/** Takes a frame, then the frames with a line in it, and so on. Does not call frames in parts that are left out. */
async function partsShown(
  page: PageTarget,
  frame: FrameNode,
  take: (frame: FrameNode) => Promise<FramePart | undefined>,
): Promise<FramePart[]> {
  const part = await take(frame);
  if (!part) return [];
  const children = shownFrameIds(part).flatMap((frameId) => page.frames.frame(frameId) ?? []);
  const below = await Promise.all(children.map((child) => partsShown(page, child, take)));
  return [part, ...below.flat()];
}

interface Wanted {
  readonly root: ScopeRoot;
  readonly ignored: IgnoredParts;
  readonly options: SnapshotOptions & TreeOptions;
  /** Minimum number of tokens for each frame. */
  readonly share: number;
  /** Maximum number of characters for each frame, regardless of the token budget. */
  readonly mostText: number;
  /** Collects the IDs of frames that do not respond. */
  readonly silent: Set<string>;
}

interface ScopeRoot {
  readonly frame: FrameNode;
  readonly scope: ElementTarget | undefined;
}

/** Follows the option `selector` through frames. */
async function scopeRoot(progress: Progress, page: PageTarget, { selector }: SnapshotOptions): Promise<ScopeRoot> {
  if (selector === undefined) return { frame: page.frames.main, scope: undefined };
  const followed = await followSelector(progress, page, { selector });
  const isMissing = followed.frame === page.frames.main && followed.resolution?.kind === 'none';
  const isSearched = isMissing && !isAbsoluteXPath(selector);
  const { frame, resolution } = (isSearched && (await findInFrames(progress, page, selector))) || followed;
  if (frame.parent && frame.isUnreachable) throw unreachableFrameError(frame, selector);
  if (!resolution) return { frame, scope: undefined };
  if (resolution.kind !== 'element') throw scopeError(resolution, selector);
  return { frame, scope: { ref: resolution.ref } };
}

type NoElement = Exclude<NonNullable<Followed['resolution']>, { kind: 'element' }>;

function scopeError(resolution: NoElement, selector: string): DriverError {
  switch (resolution.kind) {
    case 'no-frame':
      return new ContentFrameNotFoundError(
        `Cannot limit the snapshot to ${selector}: it enters a frame, but ${resolution.tag} is not a frame.`,
        { selector },
      );
    case 'no-shadow-root':
      return new DriverShadowRootMissingError(
        `Cannot limit the snapshot to ${selector}: it enters a shadow root, but ${resolution.matched} has none.`,
      );
    case 'invalid':
      return resolution.isXPath
        ? xpathError(selector, resolution.message)
        : new DriverInvalidArgumentError(`Cannot use the selector ${selector}: ${resolution.message}`, {
            argument: 'selector',
          });
    default:
      if (resolution.kind === 'none' && resolution.lacks !== undefined)
        return lackingFrameError(resolution.lacks, selector);
      return isXPath(selector)
        ? xpathError(selector, 'it matches no element in the page or its frames.')
        : new DriverElementNotFoundError(
            `Cannot limit the snapshot to ${selector}: no element matches it. Check the selector, or wait for the element.`,
            {
              selectors: [selector],
            },
          );
  }
}

function xpathError(xpath: string, reason: string): DriverError {
  return new XPathResolutionError(`Cannot limit the snapshot to the XPath ${xpath}: ${reason}`, {
    xpath,
  });
}

/** Returns undefined if the frame has no document or does not respond, or if a child frame navigates meanwhile. */
async function framePart(page: PageTarget, frame: FrameNode, wanted: Wanted): Promise<FramePart | undefined> {
  const { root, ignored, options, silent } = wanted;
  const world = frame.parent
    ? await withTimeout(FRAME_DOCUMENT_WAIT_MS, frame.worlds.isolated.catch(frameIsGone))
    : await frame.worlds.isolated;
  if (!world) return undefined;
  const request: FrameSnapshotOptions = {
    ...(frame === root.frame && root.scope ? { scope: root.scope } : {}),
    ignoreSelectors: ignored(frame),
    mostText: wanted.mostText,
    ...(options.withTree ? { withTree: true } : {}),
    ...(options.withXPaths ? { withXPaths: true } : {}),
    ...(options.withUrls === false ? { withUrls: false } : {}),
    ...(options.keepsLinkedImages ? { keepsLinkedImages: true } : {}),
    ...foldRequest(page, { frame, world }, wanted),
  };
  try {
    const answered = await frameAnswer(frame, world, () => completeSnapshot({ world, frame }, request));
    if (!answered) silent.add(frame.id);
    if (!answered) return undefined;
    const snapshot = answered.answer;
    if (snapshot.wrongIgnored) throw wrongIgnoredError(snapshot.wrongIgnored);
    return new FramePart(page, { frame, world, snapshot });
  } catch (error) {
    if (error instanceof DocumentGoneError && frame.parent) return undefined;
    throw error;
  }
}

function wrongIgnoredError({ selector, message, ...wrong }: WrongSelector): DriverError {
  if (wrong.isXPath)
    return new XPathResolutionError(`ignoreSelectors: cannot use the XPath ${selector}: ${message}`, {
      xpath: selector,
    });
  return new DriverInvalidArgumentError(`ignoreSelectors: cannot use ${selector}: ${message}`, {
    argument: 'ignoreSelectors',
  });
}

/** Returns no fold options without a token budget. */
function foldRequest(
  page: PageTarget,
  part: Pick<FramePart, 'frame' | 'world'>,
  { options, share }: Wanted,
): Pick<FrameSnapshotOptions, 'fold'> {
  const { tokenBudget = Infinity, instruction, expand, foldsNavigation } = options;
  if (tokenBudget === Infinity) return {};
  const expanded = expand === undefined ? undefined : numberInFrame(page, part, expand);
  return {
    fold: {
      tokens: tokenBudget,
      share,
      ...(instruction === undefined ? {} : { instruction }),
      ...(expanded === undefined ? {} : { expand: expanded }),
      ...(foldsNavigation ? { foldsNavigation } : {}),
    },
  };
}

function frameIsGone(): undefined {
  return undefined;
}

/** Logs where `selector` was found, if that is in a child frame. */
export function logScopeFrame(
  log: Log,
  {
    verb,
    selector,
    snapshot,
  }: { readonly verb: string; readonly selector: string | undefined; readonly snapshot: Snapshot },
): void {
  if (selector !== undefined && snapshot.frame.parent)
    log.write(verb, 1, `Found ${selector} in the frame ${snapshot.frame.url}.`);
}
