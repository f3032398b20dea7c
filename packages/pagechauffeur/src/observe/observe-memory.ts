import type { CacheKey } from '../cache/cache-key.ts';
import { keptFindingFault } from '../policy/step-limits.ts';
import type { RefTarget, Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import type { Fingerprint } from '../injected/contract.ts';
import { hasForm } from '../util/json-form.ts';
import type { Names } from '../util/placeholders.ts';
import type { Progress } from '../util/progress.ts';
import type { Action } from '../replay/action.ts';
import { findStored, type FoundStored } from '../replay/find-stored.ts';
import {
  normalizedFrameUrl,
  maskedFingerprint,
  STORED_STEP,
  type StoredStep,
  withoutState,
} from '../replay/stored-step.ts';
import type { VerbContext } from '../verb/verb-context.ts';

/** The JSON of a cache entry. */
interface ObserveEntry {
  readonly found: readonly StoredStep[];
  /** Number of elements on the page with the roles of `found`, by role. */
  readonly population: Readonly<Record<string, number>>;
}

/** An element in the result of `observe()`, and the action for the caller. */
export interface ObservedElement {
  readonly action: Required<Action>;
  readonly place: RefTarget;
  /** `undefined` for an element after the first 200 in a result, or one that has left the page. */
  readonly fingerprint: Fingerprint | undefined;
}

/** An `observe()` call with an instruction. Only its result is cached. */
export interface CacheableObserve {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly key: CacheKey;
  /** The instruction as sent to models. */
  readonly instruction: string;
  readonly variables: Names;
}

/**
 * Returns the cached result with the current XPaths. Returns `undefined` if it may not be what a model would return
 * now:
 *
 * - an element is not found again, or has moved and `selfHeal` is off;
 * - the page has more or fewer elements with the same roles, so another one may match the instruction;
 * - the policy rejects an element, because someone may have edited the cache.
 */
export async function readObserveCache(call: CacheableObserve): Promise<Action[] | undefined> {
  const { progress, context, key } = call;
  const entry = await progress.race(context.cache?.read(key, parseEntry) ?? Promise.resolve(undefined));
  if (!entry) return undefined;
  const { paths, population } = await find(call, entry.found);
  const moved = entry.found.filter(({ action }, index) => paths[index] !== action.selector);
  if (!isComplete(paths) || !isEqual(population, entry.population) || (moved.length > 0 && !context.selfHeal)) {
    context.log.write('cache', 2, 'The cached observe result does not match the current page.');
    return undefined;
  }
  const fault = await faultOf(call, entry.found);
  if (fault !== null) {
    context.log.write('cache', 1, `Ignored the cached observe result: ${fault}.`);
    return undefined;
  }
  context.log.write('cache', 2, `Answered observe ${JSON.stringify(key.instruction)} from the cache, without a model.`);
  const url = context.mask(context.page.url());
  return entry.found.map((step, index) => {
    const action = { ...step.action, selector: paths[index] ?? step.action.selector };
    context.known.remember(url, action.selector, { ...step, action });
    return action;
  });
}

/** Applies the rules for a model's response. */
async function faultOf(
  { progress, context, instruction, variables }: CacheableObserve,
  steps: readonly StoredStep[],
): Promise<string | null> {
  let snapshot: Promise<Snapshot> | undefined;
  const page = (): Promise<Snapshot> =>
    (snapshot ??= takeSnapshot(progress, context.page.target, { tokenBudget: Infinity }));
  const question = { intent: { kind: 'instruction', text: instruction }, variables, page } as const;
  for (const { action, fingerprint } of steps) {
    const kept = { method: action.method, arguments: action.arguments, place: fingerprint };
    const fault = await keptFindingFault(kept, question);
    if (fault !== null) return fault;
  }
  return null;
}

/** Remembers the elements in the driver, so that `act()` finds them again after the page has changed. */
export function rememberForAct({ known, page, mask }: VerbContext, elements: readonly ObservedElement[]): void {
  const url = mask(page.url());
  for (const element of elements) {
    const step = stepOf(element, mask);
    if (step) known.remember(url, step.action.selector, step);
  }
}

function stepOf(
  { action, place, fingerprint }: ObservedElement,
  mask: (text: string) => string,
): StoredStep | undefined {
  const frame = place.frame.parent ? normalizedFrameUrl(place.frame.url) : '';
  const masked = { ...action, description: mask(action.description) };
  return fingerprint && { action: masked, frame, fingerprint: withoutState(maskedFingerprint(fingerprint, mask)) };
}

/**
 * Stores a model's result, unless it is empty, `readObserveCache` would reject it, or an element has no fingerprint or
 * cannot be told from others.
 */
export async function writeObserveCache(call: CacheableObserve, elements: readonly ObservedElement[]): Promise<void> {
  const { context, key } = call;
  const { cache } = context;
  if (!cache || elements.length === 0) return;
  const found = elements.flatMap((element) => stepOf(element, (text) => cache.mask(text)) ?? []);
  const { paths, population } = await find(call, found);
  const isSure =
    found.length === elements.length && found.every(({ action }, index) => paths[index] === action.selector);
  if (!isSure) return;
  const fault = await faultOf(call, found);
  if (fault === null) await cache.write(key, { found, population } satisfies ObserveEntry);
  else context.log.write('cache', 2, `Did not store the observe result: ${fault}.`);
}

/** Finds the current selectors of stored elements, and counts the page's elements with the same roles. */
async function find(
  { progress, context, key }: CacheableObserve,
  steps: readonly StoredStep[],
): Promise<Pick<FoundStored, 'population'> & { paths: readonly (string | undefined)[] }> {
  const mask = (text: string): string => context.cache?.mask(text) ?? text;
  const search = { page: context.page.target, steps, instruction: key.instruction, mask };
  const { recognitions, population } = await findStored(progress, search);
  return { population, paths: recognitions.map((known) => known && `xpath=${known.candidate.path}`) };
}

function isComplete(paths: readonly (string | undefined)[]): boolean {
  return !paths.includes(undefined) && new Set(paths).size === paths.length;
}

function isEqual(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): boolean {
  const roles = Object.keys(one);
  return roles.length === Object.keys(other).length && roles.every((role) => one[role] === other[role]);
}

function parseEntry(content: unknown): ObserveEntry | undefined {
  const isEntry = hasForm(content, { fields: { found: [STORED_STEP], population: { each: 'number' } } });
  return isEntry ? (content as ObserveEntry) : undefined;
}
