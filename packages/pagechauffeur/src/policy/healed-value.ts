import type { FrameNode } from '../cdp/frame-node.ts';
import type { SchemaIssue } from '../errors.ts';
import type { ProposedAction } from '../model/model-client.ts';
import type { RefTarget, Snapshot } from '../snapshot/snapshot.ts';
import { type Names, placeholderOf, placeholdersIn } from '../util/placeholders.ts';
import { isNamedIn } from './derived-text.ts';
import { siteOf } from './variable-origins.ts';

/** The element and the document in which a step failed. */
export interface TriedPlace {
  /** Undefined if the step had only a selector. */
  readonly target: RefTarget | undefined;
  /** Undefined if the document had already been replaced. */
  readonly site: string | undefined;
}

/**
 * Returns where a step is about to run. Must be called before the step, because the page can open another document in
 * response.
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

/** For a step with only a selector, which may lead into any frame. Assumes the site of the main frame. */
export function placeOnPage(main: FrameNode): TriedPlace {
  return { target: undefined, site: siteOfDocument(main, main.url) };
}

function siteOfDocument({ id }: FrameNode, url: string): string {
  return siteOf(url) ?? `${id} ${url}`;
}

/** Context for checking the replacement of a failed step. */
export interface HealedStep {
  /** Undefined if the snapshot did not contain the ref. */
  readonly tried: TriedPlace | undefined;
  /** The instruction, or the description of an action that has no instruction. */
  readonly words: string;
  readonly snapshot: Snapshot;
  readonly variables: Names;
}

/**
 * Checks the field into which the replacement types a variable, because a page can remove a field so that the value is
 * typed elsewhere. The document must be of the same site. The field must have the same role and name, or `words` must
 * name it.
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
    return [
      {
        path: ['ref'],
        message: `${value} can be typed only on the site of the failed step, and this ${place.role} is on another site`,
      },
    ];
  if ((tried?.target && isAlike(place, tried.target)) || isNamedIn(place.name, words)) return [];
  const what = place.name === '' ? `a ${place.role} without a name` : `${place.role} ${JSON.stringify(place.name)}`;
  const message = `${value} can be typed only into the field of the failed step or one that the instruction names, not into ${what}`;
  return [{ path: ['ref'], message }];
}

function isAlike(one: RefTarget, other: RefTarget): boolean {
  if (one.world === other.world && one.ref === other.ref) return true;
  return one.name !== '' && one.name === other.name && one.role === other.role;
}
