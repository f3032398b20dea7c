import { contentFrame } from '../cdp/content-frame.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { ContentFrameNotFoundError, DriverIframeError } from '../errors.ts';
import type { ElementDeed, ElementFact, ElementTarget, Resolution, WaitLimit } from '../injected/contract.ts';
import { openClosedRoots } from '../snapshot/closed-roots.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { unresolvedError } from '../actions/blocked-error.ts';
import { nextWaitId, pageWaitTime } from '../actions/prepare-target.ts';
import type { PageSettings } from '../actions/call-limits.ts';
import { forgetPaths, lookUpPath, type CachedPath, isConfirmed, rememberPath } from '../actions/frame-path-cache.ts';

/** Finds an element on each use. */
export interface ElementQuery {
  readonly page: PageTarget;
  readonly settings: PageSettings;
  /** The frame in which the selector starts. */
  readonly frame: FrameNode;
  readonly selector: string;
  /** The calls that created it, as written by a user: `getByRole('list').nth(1)`. */
  readonly calls: string;
  /** Name in messages: the selector of a plain `locator()`, else the calls. */
  readonly label: string;
  /** True if more than one match is an error. */
  readonly isStrict: boolean;
  /** True if the question changes something. Then it does not use cached frame paths. */
  readonly changes?: boolean;
}

/** An element in its document. */
export interface FoundElement {
  readonly frame: FrameNode;
  readonly world: World;
  readonly ref: number;
}

/** Asks one document about an element. `limit` applies to questions that wait. */
type Question<T> = (place: AskedPlace, limit: WaitLimit) => Promise<T>;
type Answer<T> = Exclude<T, { kind: 'frame' | 'unexplored' }>;
type FrameAnswer = Extract<Resolution, { kind: 'frame' }>;

/** The start of a search for an element. */
interface Place {
  readonly frame: FrameNode;
  readonly element: { readonly selector: string; readonly strict?: true };
  /** True if the path comes from the cache and must be confirmed. */
  readonly guess?: CachedPath;
}

/** The document that answers the question. */
interface AskedPlace {
  readonly frame: FrameNode;
  readonly world: World;
  readonly element: ElementTarget;
}

/**
 * Asks the document that the selector leads to, following it through frames. Starts again if a document on the path goes away. If a
 * selector with the same start is cached, asks its frame at once and uses the answer if the path is confirmed.
 */
export async function askElement<T extends { readonly kind: string }>(
  progress: Progress,
  query: ElementQuery,
  question: Question<T>,
): Promise<Answer<T>> {
  for (;;) {
    try {
      const start = query.changes ? firstPlace(query) : await guessedPlace(query);
      return await askThrough(progress, { query, start }, question);
    } catch (error) {
      if (!(error instanceof DocumentGoneError)) throw error;
      progress.throwIfEnded();
      checkAttached(query.frame, query.label);
      progress.log('a document was replaced during the search for the element');
    }
  }
}

/** Throws if the frame to search was detached. */
export function checkAttached(frame: FrameNode, label: string): void {
  if (frame.isDetached)
    throw new DriverIframeError(
      `The frame ${frame.url || frame.id} that contains ${label} is no longer on the page. Get it again, for example with page.frame(), or use page.frameLocator().`,
    );
}

/** Waits for the element and reads one property. Takes one round trip if the element exists. */
export async function readElement(progress: Progress, query: ElementQuery, fact: ElementFact): Promise<unknown> {
  progress.log(`waiting for ${query.label}`);
  const answer = await askElement(progress, query, ({ world, element }, limit) =>
    world.call('read', element, fact, limit),
  );
  if (answer.kind === 'value') return answer.value;
  throw unresolvedError(answer, query.label, progress.callLog);
}

/** Acts on the element if it exists. Returns whether it does. */
export async function doToElement(progress: Progress, query: ElementQuery, deed: ElementDeed): Promise<boolean> {
  const answer = await askElement(progress, query, ({ world, element }, { waitId }) =>
    world.call('doTo', element, deed, { timeout: 0, waitId }),
  );
  return answer.kind === 'done';
}

/** Waits until the element exists. Throws on timeout. */
export async function waitForElement(progress: Progress, query: ElementQuery): Promise<void> {
  const answer = await askElement(progress, query, ({ world, element }, limit) =>
    world.call('read', element, 'ref', limit),
  );
  if (answer.kind !== 'value') throw unresolvedError(answer, query.label, progress.callLog);
}

/** Waits for the element. */
async function findElement(progress: Progress, query: ElementQuery): Promise<FoundElement> {
  const found = await find(progress, query, 'ref');
  if (found) return found;
  throw unresolvedError({ kind: 'stale' }, query.label, progress.callLog);
}

/** Waits for the element. Returns `undefined` if it has no box. */
export function findShownElement(progress: Progress, query: ElementQuery): Promise<FoundElement | undefined> {
  return find(progress, query, 'shownRef');
}

/** Waits for the element and works with it. If it leaves the page before the work starts, uses the next match. */
export async function withElement<T>(
  progress: Progress,
  query: ElementQuery,
  work: (progress: Progress, found: FoundElement) => Promise<T>,
): Promise<T> {
  for (;;) {
    const found = await findElement(progress, query);
    try {
      return await work(progress, found);
    } catch (error) {
      if (!(error instanceof DocumentGoneError)) throw error;
      progress.throwIfEnded();
      progress.log('the element was removed from the page');
    }
  }
}

async function find(
  progress: Progress,
  query: ElementQuery,
  fact: 'ref' | 'shownRef',
): Promise<FoundElement | undefined> {
  let place: AskedPlace | undefined;
  progress.log(`waiting for ${query.label}`);
  const answer = await askElement(progress, query, (asked, limit) => {
    place = asked;
    return asked.world.call('read', asked.element, fact, limit);
  });
  if (answer.kind !== 'value') throw unresolvedError(answer, query.label, progress.callLog);
  if (typeof answer.value !== 'number' || !place) return undefined;
  return { frame: place.frame, world: place.world, ref: answer.value };
}

/** The frame inside an element. */
export async function findContentFrame(progress: Progress, query: ElementQuery): Promise<FrameNode> {
  const inside = { ...query, selector: `${query.selector} >> frame=content` };
  let frame = query.frame;
  progress.log(`waiting for ${query.label}`);
  const answer = await askElement(progress, inside, (place, limit) => {
    frame = place.frame;
    return place.world.call('read', place.element, 'ref', limit);
  });
  if (answer.kind !== 'value') throw unresolvedError(answer, query.label, progress.callLog);
  return frame;
}

function firstPlace(query: ElementQuery): Place {
  return { frame: query.frame, element: targetOf(query) };
}

async function guessedPlace(query: ElementQuery): Promise<Place> {
  const { frame, element } = firstPlace(query);
  const guess = await lookUpPath(frame, element);
  return guess ? { frame: guess.frame, element: { ...element, selector: guess.selector }, guess } : { frame, element };
}

async function askThrough<T extends { readonly kind: string }>(
  progress: Progress,
  { query, start }: { readonly query: ElementQuery; readonly start: Place },
  question: Question<T>,
): Promise<Answer<T>> {
  let place = start;
  checkAttached(query.frame, query.label);
  for (;;) {
    const world = await progress.race(place.frame.worlds.isolated);
    const answer = await askOnce(progress, { ...place, world }, question);
    if (answer === 'elsewhere') place = firstPlace(query);
    else if (answer.kind === 'unexplored') await progress.race(openClosedRoots(world));
    else if (leadsToFrame(answer)) place = await childPlace(progress, query, { world, answer, element: place.element });
    else return answer as Answer<T>;
  }
}

/** Converts a query to the form for the injected script. */
export function targetOf({ selector, isStrict }: ElementQuery): { selector: string; strict?: true } {
  return isStrict ? { selector, strict: true } : { selector };
}

/** A wait in the page ends with its call, and when a cached path was wrong. */
async function askOnce<T>(
  progress: Progress,
  place: Place & AskedPlace,
  question: Question<T>,
): Promise<T | 'elsewhere'> {
  const { world, guess } = place;
  const waitId = nextWaitId();
  const asked = progress.race(question(place, { timeout: pageWaitTime(progress), waitId }));
  asked.catch(ignoreRejection);
  let isHere = true;
  try {
    isHere = !guess || (await progress.race(isConfirmed(guess)));
    return isHere ? await asked : 'elsewhere';
  } finally {
    if (guess && !isHere) forgetPaths(guess);
    if (!isHere || progress.hasEnded) world.call('cancel', waitId).catch(ignoreRejection);
  }
}

async function childPlace(
  progress: Progress,
  { page, label }: ElementQuery,
  { world, answer, element }: { world: World; answer: FrameAnswer; element: Place['element'] },
): Promise<Place> {
  const frame = await progress.race(contentFrame(page, world, answer));
  if (!frame) throw new ContentFrameNotFoundError(`The frame in ${label} has no document.`, { selector: label });
  rememberPath({ world, target: element, rest: answer.rest, frame });
  return { frame, element: { ...element, selector: answer.rest === '' ? 'html' : answer.rest } };
}

function leadsToFrame(answer: { readonly kind: string }): answer is FrameAnswer {
  return answer.kind === 'frame';
}
