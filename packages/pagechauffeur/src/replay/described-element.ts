import type { Snapshot } from '../snapshot/snapshot.ts';
import { quotedTexts } from '../util/quotes.ts';
import type { Action } from './action.ts';
import { locationsOf } from '../snapshot/element-location.ts';
import { folded, wordsIn } from '../policy/words.ts';
import { canonicalMethod } from '../actions/methods.ts';

export interface DescribedElement {
  readonly ref: string;
  readonly reasons: readonly string[];
}

/**
 * Finds an element by the description of an action. The description must contain the element's name. Every other word
 * must fit its role, row or section, be an argument of the action, or be a common word. The role must fit the method
 * and the tag in the selector. Returns `undefined` unless exactly one element matches.
 */
export function describedElement(action: Action, snapshot: Snapshot): DescribedElement | undefined {
  const candidates = [...snapshot.refs].flatMap(([ref, { role, name }]): Candidate[] =>
    fitsMethod(role, action) && fitsTag(role, action.selector) ? [{ ref, role, name }] : [],
  );
  const named = longestNamed(candidates, action.description);
  const locations =
    named.length > 0 && named.length <= MAX_SAME_NAME
      ? locationsOf(
          snapshot,
          named.map(({ ref }) => ref),
        )
      : undefined;
  const fitting = named.flatMap((candidate) => {
    const explained = matchReasons(candidate, { action, words: locations?.get(candidate.ref)?.words ?? '' });
    return explained ? [{ ref: candidate.ref, reasons: explained }] : [];
  });
  const [only, ...others] = fitting;
  return others.length === 0 ? only : undefined;
}

interface Candidate {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}

/** If more elements have the same name, their rows and sections are not compared. */
const MAX_SAME_NAME = 50;

/** Returns the candidates whose name occurs in the description. "Save draft" wins over "Save". */
function longestNamed(candidates: readonly Candidate[], description: string): readonly Candidate[] {
  const descriptionText = ` ${wordsIn(description).join(' ')} `;
  const quoted = quotedIn(description);
  const isQuoted = ({ name }: Candidate): boolean => quoted.includes(folded(name).trim());
  const possible = candidates.some(isQuoted) ? candidates.filter(isQuoted) : candidates;
  const named = possible
    .map((candidate) => ({ candidate, words: wordsIn(candidate.name) }))
    .filter(({ words }) => words.length > 0 && descriptionText.includes(` ${words.join(' ')} `));
  const longest = Math.max(0, ...named.map(({ words }) => words.length));
  return named.filter(({ words }) => words.length === longest).map(({ candidate }) => candidate);
}

function quotedIn(description: string): readonly string[] {
  return quotedTexts(description).map(({ inner }) => folded(inner).trim());
}

/**
 * Returns the properties of the element that the description mentions. Returns `undefined` if the description contains
 * a word or quoted text that does not fit.
 */
function matchReasons(
  { role, name }: Candidate,
  { action, words: context }: { readonly action: Action; readonly words: string },
): readonly string[] | undefined {
  const known = [name, ...(action.arguments ?? [])].map((text) => folded(text).trim());
  if (!quotedIn(action.description).every((text) => known.includes(text) || folded(context).includes(text)))
    return undefined;
  const own = new Set(wordsIn(name));
  const args = new Set((action.arguments ?? []).flatMap((argument) => wordsIn(argument)));
  const contextWords = new Set(wordsIn(context));
  const reasons = new Set(['name']);
  for (const word of wordsIn(action.description)) {
    if (own.has(word)) continue;
    const roles = Object.hasOwn(ROLE_WORDS, word) ? ROLE_WORDS[word] : undefined;
    if (roles?.has(role)) reasons.add('role');
    else if (contextWords.has(word)) reasons.add('surroundings');
    else if (roles || !(LITTLE_WORDS.has(word) || args.has(word))) return undefined;
  }
  return [...reasons];
}

const PRESSED = rolesOf('button link menuitem tab option treeitem summary generic');
const CHOSEN = rolesOf('checkbox radio switch menuitemcheckbox menuitemradio');
const ENTERED = rolesOf('textbox searchbox combobox spinbutton slider');
const LISTED = rolesOf('combobox listbox button');

function rolesOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Words in descriptions, with the roles that they can mean. */
const ROLE_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  ...withRoles('button link icon tab', PRESSED),
  ...withRoles('option item', new Set([...PRESSED, ...CHOSEN, 'listitem'])),
  ...withRoles('field input textbox textarea searchbox spinbutton slider', ENTERED),
  ...withRoles('checkbox radio switch toggle', CHOSEN),
  ...withRoles('box', new Set([...CHOSEN, ...ENTERED])),
  ...withRoles('dropdown select combobox listbox', LISTED),
};

function withRoles(words: string, roles: ReadonlySet<string>): Record<string, ReadonlySet<string>> {
  return Object.fromEntries(words.split(' ').map((word) => [word, roles]));
}

const LITTLE_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that it its in into of on onto at by for from with and as to is be are which labelled labeled named called row section ' +
    'under text value click clicks clicked press tap fill fills filled type enter check uncheck select choose open opens set scroll hover'
  ).split(' '),
);

const ROLES_OF_METHOD: Readonly<Record<string, ReadonlySet<string>>> = {
  fill: ENTERED,
  type: ENTERED,
  check: CHOSEN,
  uncheck: CHOSEN,
  select: LISTED,
};

function fitsMethod(role: string, { method = 'click' }: Action): boolean {
  const name = canonicalMethod(method) ?? method;
  return !Object.hasOwn(ROLES_OF_METHOD, name) || ROLES_OF_METHOD[name]?.has(role) === true;
}

const ROLES_OF_TAG: Readonly<Record<string, ReadonlySet<string>>> = {
  a: PRESSED,
  button: new Set([...PRESSED, ...CHOSEN, ...LISTED]),
  input: new Set([...ENTERED, ...CHOSEN, 'button']),
  textarea: ENTERED,
  select: LISTED,
};

/**
 * True if an element with this role can have the tag at the end of the XPath. Accepts other selectors and unknown tags.
 */
function fitsTag(role: string, selector: string): boolean {
  const tag = /^(?:xpath=)?\/.*\/([a-z]+)(?:\[\d+\])?$/.exec(selector)?.[1] ?? '';
  return !Object.hasOwn(ROLES_OF_TAG, tag) || ROLES_OF_TAG[tag]?.has(role) === true;
}
