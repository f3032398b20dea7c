import type { FrameNode } from '../cdp/frame-node.ts';
import type { SchemaIssue } from '../errors.ts';
import type { ProposedAction } from '../model/model-client.ts';
import type { RefTarget, Snapshot } from '../snapshot/snapshot.ts';
import { type Names, placeholderOf, placeholdersIn } from '../util/placeholders.ts';
import { isNamedIn } from './derived-text.ts';
import { siteOf } from './variable-origins.ts';

/** Where a step failed. */
export interface TriedPlace {
  /** The element of the step. `undefined` if the step had a selector. */
  readonly target: RefTarget | undefined;
  /** The site of its document. `undefined` if the document had already been replaced. */
  readonly site: string | undefined;
}

/**
 * Returns the element of a ref and the site of its document. Must be called before the step runs, because the page can
 * open another document in response.
 */
export function placeToTry(snapshot: Snapshot, ref: string): TriedPlace | undefined {
  const target = snapshot.refs.get(ref);
  return target && { target, site: siteOfPlace(target, snapshot) };
}

function siteOfPlace({ frame, world }: RefTarget, snapshot: Snapshot): string | undefined {
  const isShown = frame === snapshot.frame;
  if (!isShown && world.isGone) return undefined;
  return siteOfDocument(frame, isShown ? snapshot.url : frame.url);
}

/** Returns the site of the main frame, whichever frame the selector leads to. */
export function placeOnPage(main: FrameNode): TriedPlace {
  return { target: undefined, site: siteOfDocument(main, main.url) };
}

function siteOfDocument({ id }: FrameNode, url: string): string {
  return siteOf(url) ?? `${id} ${url}`;
}

/** A failed step that will run on another element. */
export interface HealedStep {
  /** `undefined` if the snapshot did not contain the ref. */
  readonly tried: TriedPlace | undefined;
  /** The instruction, or the description of the action. */
  readonly words: string;
  readonly snapshot: Snapshot;
  readonly variables: Names;
}

/**
 * Returns objections to typing a variable value into another field. A page can remove a field so that the value is
 * typed elsewhere. So the new field must have the same role and name, or be named by `words`, and its document must be
 * of the same site.
 */
export function healedValueIssues(
  { ref, arguments: args }: ProposedAction,
  { tried, words, snapshot, variables }: HealedStep,
): SchemaIssue[] {
  const [variable] = args.flatMap((argument) => placeholdersIn(argument, variables));
  const place = snapshot.refs.get(ref);
  if (variable === undefined || !place) return [];
  const value = placeholderOf(variable);
  if (tried && siteOfPlace(place, snapshot) !== tried.site)
    return [{ path: ['ref'], message: `${value} was for a field in a document of another site` }];
  if ((tried?.target && isAlike(place, tried.target)) || isNamedIn(place.name, words)) return [];
  const what = place.name === '' ? `this ${place.role} without a name` : `${place.role} ${JSON.stringify(place.name)}`;
  return [{ path: ['ref'], message: `${value} was for another field, and the instruction does not mention ${what}` }];
}

function isAlike(one: RefTarget, other: RefTarget): boolean {
  if (one.world === other.world && one.ref === other.ref) return true;
  return one.name !== '' && one.name === other.name && one.role === other.role;
}
