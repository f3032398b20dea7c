import { DriverIframeError } from '../errors.ts';
import type { ElementTarget, FrameStep, Resolution } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { openClosedRoots, pendingRoots } from './closed-roots.ts';
import { readInternals } from './element-internals.ts';
import { lackingFrameError } from './frame-errors.ts';
import type { FrameNode } from './frame-node.ts';
import type { PageTarget } from './page-target.ts';
import { DocumentGoneError } from './protocol-error.ts';
import type { World } from './world.ts';

export interface FrameQuery {
  readonly frame: FrameNode;
  readonly element: ElementTarget;
  /**
   * World of the document that assigned the ref. `undefined` for a selector, which is resolved in the frame's current
   * document.
   */
  readonly world?: World;
  /** True if the selector ends at the frame, so it matches the whole document. */
  readonly isWholeDocument?: boolean;
}

/**
 * Follows a selector through frames and closed shadow roots. The caller queries the document of `current` and passes
 * the response to `follow`, until the response is about the element itself.
 *
 * If an earlier selector with the same beginning led into a frame, the search starts there. Such a guess must be
 * confirmed: an action passes `guessedSteps` to the page, which verifies them before anything happens; a read calls
 * `isConfirmed` while it waits for its response.
 */
export class FrameResolver {
  readonly #page: PageTarget;
  readonly #start: FrameQuery;
  readonly #label: string;
  #current: FrameQuery;
  #guess: CachedPath | undefined;

  /** `label` is the selector or ref in error messages. */
  constructor(page: PageTarget, start: FrameQuery, label: string) {
    this.#page = page;
    this.#start = start;
    this.#label = label;
    this.#current = start;
  }

  get current(): FrameQuery {
    return this.#current;
  }

  /** True while `current` is still the query with which the search started. */
  get isAtStart(): boolean {
    return this.#current === this.#start;
  }

  /** Starts in a cached frame, if there is one. Call before the first query. */
  async guess(): Promise<this> {
    const { frame, element, world } = this.#start;
    if (world || !('selector' in element)) return this;
    this.#guess = await lookUpPath(frame, element);
    if (this.#guess)
      this.#current = { frame: this.#guess.frame, element: { ...element, selector: this.#guess.selector } };
    return this;
  }

  /**
   * The path to a guessed frame, which the page must verify before an action. `undefined` if `current` is not a guess.
   */
  get guessedSteps(): readonly FrameStep[] | undefined {
    return this.#guess?.steps.map(({ target, rest }) => ({ ...target, rest }));
  }

  /** True if the selector still leads to `current`. Queries all documents on the path in parallel. */
  async isConfirmed(): Promise<boolean> {
    const answers = await Promise.all((this.#guess?.steps ?? []).map(isStepConfirmed));
    return answers.every(Boolean);
  }

  /**
   * Enters the frame that the response points to, or opens closed shadow roots. Returns the response if it is about the
   * element itself, else `undefined`: query `current` again. `opening`: the roots that were being opened when the query
   * was sent.
   * @throws DocumentGoneError if the document or the frame is being replaced. Call `restart`, then query again.
   * @throws ContentFrameNotFoundError if the element that the selector enters has no frame.
   */
  async follow<T extends { readonly kind: string }>(
    world: World,
    answer: T,
    opening: Promise<unknown> | undefined = pendingRoots(world),
  ): Promise<ElementAnswer<T> | undefined> {
    if (answer.kind === 'unexplored') await Promise.all([openClosedRoots(world), readInternals(world)]);
    else if (opening && mayLackElements(answer)) await opening;
    else if (leadsIntoFrame(answer)) this.#current = await this.#queryInFrame(world, answer);
    else return answer as ElementAnswer<T>;
    return undefined;
  }

  /** Continues with another query, for example for the frame in which a search of all frames found the element. */
  continueAt(query: FrameQuery): void {
    this.#current = query;
  }

  /** Starts over. Call when a document on the path was replaced or the guess was wrong. */
  restart(): void {
    for (const { world } of this.#guess?.steps ?? []) frameByPrefix.delete(world);
    this.#guess = undefined;
    this.#current = this.#start;
    checkAttached(this.#start.frame, this.#label);
  }

  async #queryInFrame(world: World, answer: FrameAnswer): Promise<FrameQuery> {
    const { element } = this.#current;
    const frame = await frameOfElement(this.#page, world, answer);
    if (!frame) throw lackingFrameError('document', this.#label);
    if ('selector' in element) cachePath({ world, target: element, rest: answer.rest, frame });
    const isWholeDocument = answer.rest === '';
    const isStrict = 'strict' in element && element.strict;
    const selector = isWholeDocument ? 'html' : answer.rest;
    return { frame, isWholeDocument, element: { selector, ...(isStrict && { strict: true }) } };
  }
}

/** True if the answer can change with each further element that matches. */
function mayLackElements(answer: { readonly kind: string }): boolean {
  return answer.kind === 'none' || answer.kind === 'no-shadow-root' || 'count' in answer;
}

export type ElementAnswer<T> = Exclude<T, { readonly kind: 'frame' | 'unexplored' }>;
type FrameAnswer = Extract<Resolution, { kind: 'frame' }>;

function leadsIntoFrame(answer: { readonly kind: string }): answer is FrameAnswer {
  return answer.kind === 'frame';
}

export function checkAttached(frame: FrameNode, label: string): void {
  if (frame.isDetached)
    throw new DriverIframeError(
      `The frame ${frame.url || frame.id} that contains ${label} is no longer on the page. Get it again, for example with page.frame(), or use page.frameLocator().`,
    );
}

/**
 * Returns the frame inside a frame element, by its id or, for a new frame, by querying the browser. `undefined` if the
 * element has no frame.
 * @throws DocumentGoneError if the element or its frame is being added or removed. Find the element again.
 */
export async function frameOfElement(
  page: PageTarget,
  world: World,
  { ref, frameId }: { readonly ref: number; readonly frameId: string },
): Promise<FrameNode | undefined> {
  const known = page.frames.frame(frameId);
  if (known) return known;
  const element = await world.callForHandle('element', { ref });
  if (!element) throw new DocumentGoneError('The frame element is no longer on the page.');
  const { node } = await world.session.send('DOM.describeNode', { objectId: element.objectId });
  world.session.send('Runtime.releaseObject', { objectId: element.objectId }).catch(ignoreRejection);
  const frame = node.frameId === undefined ? undefined : page.frames.frame(node.frameId);
  if (frame) return frame;
  const isStillThere = (await world.call('describe', { ref })) !== null;
  if (isStillThere && node.frameId === undefined) return undefined;
  throw new DocumentGoneError('The frame is being attached or detached.');
}

/** Paths per document. When the number is reached, the document's cache is cleared. */
const MAX_CACHED_PATHS = 100;

/** The frames that selectors entered, by document and beginning of the selector. */
const frameByPrefix = new WeakMap<World, Map<string, FrameNode>>();

interface SelectorTarget {
  readonly selector: string;
  readonly strict?: boolean;
}

interface FrameHop {
  readonly world: World;
  readonly target: SelectorTarget;
  readonly frame: FrameNode;
  readonly rest: string;
}

/** A probable destination of a selector, and the rest of the selector for that frame. */
interface CachedPath {
  readonly frame: FrameNode;
  readonly selector: string;
  readonly steps: readonly FrameHop[];
}

function cachePath({ world, target: { selector }, rest, frame }: FrameHop): void {
  if (rest === '' || !selector.endsWith(rest)) return;
  const frames = frameByPrefix.get(world) ?? new Map<string, FrameNode>();
  frameByPrefix.set(world, frames);
  if (frames.size >= MAX_CACHED_PATHS) frames.clear();
  frames.set(selector.slice(0, -rest.length), frame);
}

async function lookUpPath(start: FrameNode, target: SelectorTarget): Promise<CachedPath | undefined> {
  let frame = start;
  let { selector } = target;
  const steps: FrameHop[] = [];
  for (;;) {
    const world = await currentWorld(frame);
    const next = world && cachedHop(world, { ...target, selector });
    // Without a nonce, the page cannot verify the step.
    if (!next || next.frame.isDetached || next.frame.nonce === undefined) break;
    steps.push(next);
    frame = next.frame;
    selector = next.rest;
  }
  return steps.length > 0 && (await currentWorld(frame)) ? { frame, selector, steps } : undefined;
}

/** The longest cached beginning of the selector wins. */
function cachedHop(world: World, target: SelectorTarget): FrameHop | undefined {
  const { selector } = target;
  const frames = [...(frameByPrefix.get(world) ?? [])];
  const fitting = frames.filter(([prefix]) => selector.startsWith(prefix) && selector !== prefix);
  const [best] = fitting.toSorted(([one], [other]) => other.length - one.length);
  if (!best) return undefined;
  const [prefix, frame] = best;
  return { world, target, frame, rest: selector.slice(prefix.length) };
}

async function isStepConfirmed({ world, target, frame, rest }: FrameHop): Promise<boolean> {
  const answer = await world.call('resolve', target);
  return answer.kind === 'frame' && answer.rest === rest && answer.frameId === frame.id;
}

/** Does not wait: returns `undefined` if the frame's world is not found yet or the frame was detached. */
export function currentWorld(frame: FrameNode): Promise<World | undefined> {
  return Promise.race([frame.worlds.isolated, Promise.resolve(undefined)]).catch(noWorld);
}

function noWorld(): undefined {
  return undefined;
}
