import { pendingRoots } from '../cdp/closed-roots.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import { checkAttached, type ElementAnswer, FrameResolver } from '../cdp/frame-resolver.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { PendingCall } from '../cdp/pending-call.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import type { ElementOperation, ElementFact, ElementTarget } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { unresolvedError } from '../actions/blocked-error.ts';
import { pageWaitTime } from '../actions/prepare-target.ts';
import type { PageSettings } from '../actions/call-limits.ts';

/** How a locator finds its element, again on each call. */
export interface ElementQuery {
  readonly page: PageTarget;
  readonly settings: PageSettings;
  /** The frame in whose document the selector starts. */
  readonly frame: FrameNode;
  readonly selector: string;
  /** The calls that created the locator: `getByRole('list').nth(1)`. */
  readonly calls: string;
  /** Name in messages: the selector of `locator('…')`, otherwise `calls`. */
  readonly label: string;
  readonly isStrict: boolean;
  /** True if the call changes the page. It then does not use cached frame paths. */
  readonly changes?: boolean;
}

export interface FoundElement {
  readonly frame: FrameNode;
  readonly world: World;
  readonly ref: number;
}

/** `timeout` in ms is for calls that wait. */
type DocumentQuery<T> = (document: QueriedDocument, timeout: number) => PendingCall<T> | Promise<T>;

interface QueriedDocument {
  readonly frame: FrameNode;
  readonly world: World;
  readonly element: ElementTarget;
}

/**
 * Queries the document that the selector points to, through frames. Starts over if a document on the path is replaced.
 * If the path is cached, queries the last frame immediately, and uses the response once the path is confirmed.
 */
export async function askElement<T extends { readonly kind: string }>(
  progress: Progress,
  query: ElementQuery,
  question: DocumentQuery<T>,
): Promise<ElementAnswer<T>> {
  checkAttached(query.frame, query.label);
  const resolver = new FrameResolver(query.page, { frame: query.frame, element: targetOf(query) }, query.label);
  if (!query.changes) await resolver.guess();
  for (;;) {
    try {
      const { frame, element } = resolver.current;
      const world = await progress.race(frame.worlds.isolated);
      const opening = pendingRoots(world);
      const answer = await queryOnce(progress, resolver, { ask: question, asked: { frame, world, element } });
      const found = answer && (await progress.race(resolver.follow(world, answer, opening)));
      if (found) return found;
      if (!answer) resolver.restart();
    } catch (error) {
      if (!(error instanceof DocumentGoneError)) throw error;
      progress.throwIfEnded();
      resolver.restart();
      progress.log('a document was replaced during the search for the element');
    }
  }
}

async function queryOnce<T>(
  progress: Progress,
  resolver: FrameResolver,
  { ask, asked }: { readonly ask: DocumentQuery<T>; readonly asked: QueriedDocument },
): Promise<T | undefined> {
  const call = ask(asked, pageWaitTime(progress));
  const answer = progress.race(call instanceof PendingCall ? call.result : call);
  answer.catch(ignoreRejection);
  let isConfirmed = true;
  try {
    isConfirmed = await progress.race(resolver.isConfirmed());
    return isConfirmed ? await answer : undefined;
  } finally {
    if (call instanceof PendingCall && (!isConfirmed || progress.hasEnded)) void call.cancel();
  }
}

/** Waits for the element and reads one property, in one round trip if the element exists. */
export async function readElement(progress: Progress, query: ElementQuery, fact: ElementFact): Promise<unknown> {
  progress.log(`waiting for ${query.label}`);
  const answer = await askElement(progress, query, ({ world, element }, timeout) =>
    world.start('read', element, fact, timeout),
  );
  if (answer.kind === 'value') return answer.value;
  throw unresolvedError(answer, query.label, progress.callLog);
}

/** Returns false if the element cannot be resolved now. Does not wait. */
export async function doToElement(
  progress: Progress,
  query: ElementQuery,
  operation: ElementOperation,
): Promise<boolean> {
  const answer = await askElement(progress, query, ({ world, element }) => world.call('doTo', element, operation));
  return answer.kind === 'done';
}

/**
 * Waits until the element exists.
 * @throws DriverElementNotFoundError if there is none at the timeout.
 */
export async function waitForElement(progress: Progress, query: ElementQuery): Promise<void> {
  const answer = await askElement(progress, query, ({ world, element }, timeout) =>
    world.start('read', element, 'ref', timeout),
  );
  if (answer.kind !== 'value') throw unresolvedError(answer, query.label, progress.callLog);
}

async function findElement(progress: Progress, query: ElementQuery): Promise<FoundElement> {
  const found = await find(progress, query, 'ref');
  if (found) return found;
  throw unresolvedError({ kind: 'stale' }, query.label, progress.callLog);
}

/** Waits for the element. Returns `undefined` if it is not rendered. */
export function findShownElement(progress: Progress, query: ElementQuery): Promise<FoundElement | undefined> {
  return find(progress, query, 'shownRef');
}

/** Waits for the element and calls `work`. If the element or its document is lost during `work`, starts over. */
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
  let document: QueriedDocument | undefined;
  progress.log(`waiting for ${query.label}`);
  const answer = await askElement(progress, query, (asked, timeout) => {
    document = asked;
    return asked.world.start('read', asked.element, fact, timeout);
  });
  if (answer.kind !== 'value') throw unresolvedError(answer, query.label, progress.callLog);
  if (typeof answer.value !== 'number' || !document) return undefined;
  return { frame: document.frame, world: document.world, ref: answer.value };
}

/** Waits for the frame element and returns the frame inside it. */
export async function findContentFrame(progress: Progress, query: ElementQuery): Promise<FrameNode> {
  const inside = { ...query, selector: `${query.selector} >> frame=content` };
  let frame = query.frame;
  progress.log(`waiting for ${query.label}`);
  const answer = await askElement(progress, inside, (asked, timeout) => {
    frame = asked.frame;
    return asked.world.start('read', asked.element, 'ref', timeout);
  });
  if (answer.kind !== 'value') throw unresolvedError(answer, query.label, progress.callLog);
  return frame;
}

export function targetOf({ selector, isStrict }: ElementQuery): { selector: string; strict?: true } {
  return isStrict ? { selector, strict: true } : { selector };
}
