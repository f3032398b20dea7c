import type { RefTarget, Snapshot } from '../snapshot/snapshot.ts';
import type { InstructionText } from './clauses.ts';
import { type ActionKind, readActionKinds } from './action-kinds.ts';
import { isNamedIn } from './derived-text.ts';
import { folded, wordsIn } from './words.ts';

type NamedElement = Pick<RefTarget, 'role' | 'name'>;

/**
 * Returns the element that the instruction names as the target of a click or checkbox, if it is not `place`. Returns
 * `undefined` if the instruction mentions `place`, or names no element of the page.
 */
export function namedInstead(
  place: NamedElement,
  instruction: InstructionText,
  { refs }: Pick<Snapshot, 'refs'>,
): NamedElement | undefined {
  const clauses = readActionKinds(instruction);
  const isPlain = clauses.every(({ kinds }) => !kinds.includes('any') && !kinds.includes('read'));
  const pointing = clauses.filter(({ kinds }, index) => (isPlain || index === 0) && kinds.some(isPointing));
  return otherNamed(place, pointing, { instruction: instruction.unquoted, refs });
}

/** Like {@link namedInstead}, for the description of an action, which starts with a verb or with the name. */
export function describedInstead(
  place: NamedElement,
  description: InstructionText,
  { refs }: Pick<Snapshot, 'refs'>,
): NamedElement | undefined {
  return otherNamed(place, readActionKinds(description).slice(0, 1), { instruction: description.unquoted, refs });
}

/** Like {@link namedInstead}, for an instruction that only describes an element, such as "the Save button". */
export function requestedInstead(
  place: NamedElement,
  instruction: InstructionText,
  { refs }: Pick<Snapshot, 'refs'>,
): NamedElement | undefined {
  const pointing = readActionKinds(instruction.unquoted).map(({ object }): Pointing => ({
    kinds: ['click'],
    object: object.replace(FINDING_VERB, ''),
  }));
  return otherNamed(place, pointing, { instruction: instruction.unquoted, refs });
}

/** Like {@link namedInstead}, for instructions that name a field, such as "type Ada into Name". */
export function enteredInstead(
  place: NamedElement,
  instruction: InstructionText,
  { refs }: Pick<Snapshot, 'refs'>,
): NamedElement | undefined {
  const fields = new Map([...refs].filter(([, { role }]) => ENTERED.has(role)));
  const pointing = readActionKinds(instruction).flatMap(({ object }) =>
    object.split(INTO).map((phrase): Pointing => ({ kinds: ['type'], object: phrase })),
  );
  return otherNamed(place, pointing, { instruction: instruction.unquoted, refs: fields });
}

const INTO = /\s(?:into|in|as|to|on|ins?|als|dans|en|nel(?:la)?)\s+/;

const FINDING_VERB =
  /^\s*(?:find|show|list|locate|get|identify|look for|search for|finde|zeige|trouve|busca)\s+(?:me\s+)?/;

interface Pointing {
  readonly kinds: readonly ActionKind[];
  readonly object: string;
}

interface Naming {
  readonly instruction: InstructionText;
  readonly refs: Snapshot['refs'];
}

function otherNamed(
  place: NamedElement,
  pointing: readonly Pointing[],
  { instruction, refs }: Naming,
): NamedElement | undefined {
  const objects = pointing.flatMap(({ kinds, object }) =>
    [object, object.replaceAll(ASIDE, MARK)].map((phrase) => ({ kinds, words: spelled(phrase) })),
  );
  const isNamed = ({ role, name }: NamedElement): boolean =>
    objects.some(({ kinds, words }) => {
      const after = mayBe(role, kinds) ? afterName(name, words, instruction) : undefined;
      return after !== undefined && !(PRESSED_KIND.test(after) && ENTERED.has(role));
    });
  if (objects.length === 0 || isNamedIn(place.name, instruction.text) || isNamed(place)) return undefined;
  return [...refs.values()].find(isNamed);
}

const POINTING: ReadonlySet<ActionKind> = new Set<ActionKind>([
  'click',
  'doubleClick',
  'rightClick',
  'middleClick',
  'check',
  'uncheck',
]);

function isPointing(kind: ActionKind): boolean {
  return POINTING.has(kind);
}

const TICKED: ReadonlySet<string> = new Set('checkbox radio switch menuitemcheckbox menuitemradio'.split(' '));

/** "check the terms" means a checkbox, not a link with that name. */
function mayBe(role: string, kinds: readonly ActionKind[]): boolean {
  return TICKED.has(role) || !kinds.every((kind) => kind === 'check' || kind === 'uncheck');
}

/** Nouns for something to click. "the search button" does not mean a field named "search". */
const PRESSED_KIND = /^ ?(?:button|icon|link|tab|schaltflache|knopf|bouton|lien|boton|enlace|pulsante|кнопку)(?: |$)/u;
const ENTERED: ReadonlySet<string> = new Set('textbox searchbox combobox spinbutton slider'.split(' '));

/**
 * Returns the text after the name if `words`, normalized by `spelled`, start with the whole name. Skips words such as
 * "on the button labelled". Returns `undefined` otherwise.
 */
function afterName(name: string, words: string, instruction: InstructionText): string | undefined {
  const nameWords = spelled(name);
  for (let rest = words; ; rest = rest.replace(LEADING_WORD, '')) {
    const quotation = instruction.quotationAt(rest);
    if (quotation !== undefined) return spelled(quotation) === nameWords ? rest.slice(1) : undefined;
    const after = rest.startsWith(nameWords) && isEnough(name) ? rest.slice(nameWords.length) : undefined;
    if (after !== undefined && AFTER_NAME.test(after)) return after;
    if (!LEADING_WORD.test(rest)) return undefined;
  }
}

/** Returns words separated by single spaces. Text without words, such as "×", is returned without white space. */
function spelled(text: string): string {
  const words = folded(text).match(WORDS) ?? [];
  return words.length > 0 ? words.join(' ') : folded(text).replaceAll(/\s/g, '');
}

const WORDS = /[\p{L}\p{N}]+|\p{Co}/gu;
/** Punctuation between a name and more text: "Save (bottom right)". It can also be part of the name. */
const ASIDE = /[([{:–—→>|]|(?<=\s)-(?=\s)/g;
const MARK = '\uF002';

/** A function word such as "on" must be quoted to count as a name. */
function isEnough(name: string): boolean {
  return wordsIn(name).length === 0 ? name.trim() !== '' : isNamedIn(name, name);
}

/** Words between the verb and the name. */
const LEADING_WORD = new RegExp(
  `^(?:${MARK}|${[
    'on at the an? this that with which says? saying reads? reading is',
    'button link tab menu item option icon box checkbox radio switch toggle element control entry field image picture',
    'textbox searchbox combobox listbox dropdown slider heading row cell menuitem treeitem input',
    'labell?ed named called titled marked text label name title caption word words',
    'auf den die das dem der mit namens beschriftung schaltflache knopf taste feld kastchen reiter',
    'sur le la les l bouton lien onglet case en el los las boton enlace casilla su sul sulla il lo pulsante',
    'на кнопку ссылку op de knop no na botao',
  ]
    .join(' ')
    .replaceAll(' ', '|')})(?: |$)`,
  'u',
);

/**
 * Text that can follow a whole name. Any other word makes the name part of a longer one: "the search result" does not
 * name "Search".
 */
const AFTER_NAME = new RegExp(
  `^(?:$| (?:${MARK}|${[
    'button link tab menu item option icon box checkbox radio switch toggle field image',
    'in on of at for from under next near to and then with please now within inside above below beside by again once twice if when',
    'schaltflache knopf taste reiter im am bitte an bouton lien dans du boton enlace del de por pulsante nel nella кнопку в',
  ]
    .join(' ')
    .replaceAll(' ', '|')})(?: |$)|(?:を|の?ボタン|の?リンク|のタブ|按钮|按鈕|链接|連結|标签|标签页))`,
  'u',
);
