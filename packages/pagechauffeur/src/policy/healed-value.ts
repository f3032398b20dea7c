import type { FrameNode } from '../cdp/frame-node.ts';
import type { SchemaIssue } from '../errors.ts';
import type { ProposedAction } from '../model/model-client.ts';
import type { RefTarget, Snapshot } from '../snapshot/snapshot.ts';
import { type Names, placeholderOf, placeholdersIn } from '../util/placeholders.ts';
import { isNamedIn } from './derived-text.ts';
import { siteOf } from './variable-origins.ts';

/** Where a step was tried that could not be done there. */
export interface TriedPlace {
  /** Undefined if a selector says it. */
  readonly target: RefTarget | undefined;
  /** Whose document it was in; undefined if that was gone already. */
  readonly site: string | undefined;
}

/** The place of a ref; ask before the step is tried, because a page may open another document as it hears of it. */
export function placeToTry(snapshot: Snapshot, ref: string): TriedPlace | undefined {
  const target = snapshot.refs.get(ref);
  return target && { target, site: siteOfPlace(target, snapshot) };
}

function siteOfPlace({ frame, world }: RefTarget, snapshot: Snapshot): string | undefined {
  const isShown = frame === snapshot.frame;
  if (!isShown && world.isGone) return undefined;
  return siteOfDocument(frame, isShown ? snapshot.url : frame.url);
}

/** The place of a selector: whatever frame it leads to, another element is looked for on the page's own site. */
export function placeOnPage(main: FrameNode): TriedPlace {
  return { target: undefined, site: siteOfDocument(main, main.url) };
}

function siteOfDocument({ id }: FrameNode, url: string): string {
  return siteOf(url) ?? `${id} ${url}`;
}

/** What a step is healed for. */
export interface HealedStep {
  /** Undefined if the ref was shown in no page. */
  readonly tried: TriedPlace | undefined;
  /** The instruction, or the description of the action. */
  readonly words: string;
  readonly snapshot: Snapshot;
  readonly variables: Names;
}

/**
 * What speaks against healing a step that enters the value of a variable. A page can take a field away to have its value typed into another
 * one, so the value goes only to a field of the same role and name or one that the words name, in a document of the same site.
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
  return [{ path: ['ref'], message: `${value} was for another field, and nobody spoke of ${what}` }];
}

function isAlike(one: RefTarget, other: RefTarget): boolean {
  if (one.world === other.world && one.ref === other.ref) return true;
  return one.name !== '' && one.name === other.name && one.role === other.role;
}
