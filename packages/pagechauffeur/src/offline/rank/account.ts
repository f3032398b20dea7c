import { KIND_STEMS } from '../page/kind-stems.ts';
import type { SnapshotNode } from '../../snapshot/snapshot-node.ts';
import { HEADING_STEM, isOfKind, rolesNamed } from '../grammar/kind-words.ts';
import type { Phrase, TargetWord } from '../grammar/phrase.ts';
import type { Intent } from '../grammar/reading.ts';
import { Evidence, type QueryWord } from '../page/evidence.ts';
import { type Line, closest, isWithin } from '../page/line.ts';
import type { PageIndex } from '../page/page-index.ts';
import { hasOptions, isCheckable, isUnnamedField, ITEM_ROLES, takesText } from '../page/roles.ts';
import { recordOf } from '../page/surroundings.ts';
import { isSameWord } from '../text/concepts.ts';
import { isActionVerb, isAlsoNoun, isStopWord } from '../text/word-classes.ts';
import { isConsentingVerb, isPlainVerb, isViewingVerb } from '../text/plain-words.ts';
import { stemsOf, type Word, wordsOf } from '../text/words.ts';
import { wordList } from '../text/word-list.ts';
import { quotesFit } from './name-fit.ts';

/** How completely an element and its context match the words of a phrase. */
export interface Account {
  /** Words that the element, its context and the action do not match, or the word that should identify the element. */
  readonly missing: readonly string[];
  /** Extra words in the element's name that make it a different one, such as "with Google". */
  readonly besides: readonly string[];
  /** 0 if the name equals the phrase, 1 if it contains all words of the phrase, 2 otherwise. */
  readonly tier: number;
  /** Number of words that the element contains only as a synonym, such as "Orders" for "buy". */
  readonly synonyms: number;
  /** Number of plain verbs in the name, such as "Show" in "Show password" for "show the password". */
  readonly verbs: number;
  /**
   * True if the phrase names a kind of element and this role is one of its roles. False if the element only looks like
   * it.
   */
  readonly isOfRole: boolean;
}

export interface Accounting {
  readonly intent: Intent;
  /**
   * True if the phrase refers to several elements, or to one by its position. Its words may then match many elements.
   */
  readonly isSeries?: boolean;
}

/** True if the phrase and the element match each other completely. */
export function isWhole({ missing, besides }: Account): boolean {
  return missing.length === 0 && besides.length === 0;
}

/** Roles of options. Their names are nouns, and the verb is on the menu or group around them. */
const CHOICE_ROLES: ReadonlySet<string> = new Set(['menuitem', 'radio', 'option', 'tab', 'menuitemradio']);
/** Roles of elements that perform an action. Their names usually start with a verb. */
const ACTION_ROLES: ReadonlySet<string> = new Set(['button', 'link', 'menuitem', 'generic']);
/** Lower values of `quotesFit` reject the element. One or two quotations that are only near it are accepted. */
const QUOTE_FITS = 0.9;

/** Checks that each word of a phrase is matched by the element, its context or the action. */
export class Accountant {
  readonly #page: PageIndex;
  readonly #evidence: Evidence;

  constructor(page: PageIndex) {
    this.#page = page;
    this.#evidence = new Evidence(page);
  }

  account(line: Line, phrase: Phrase, { intent, isSeries = false }: Accounting): Account {
    const called = wordsOfName(line, phrase);
    const missing = phrase.words.filter(
      (word, index) => !called.has(word) && !this.#isExplained(line, { word, index, phrase, intent }),
    );
    const isKnown =
      isNamedByMainWords(called, phrase) || (isSeries && hasKind(phrase)) || this.#isIdentified(line, phrase, intent);
    const unidentified = missing.length === 0 && !isKnown ? headWords(phrase) : [];
    const misquoted = quotesFit(line, phrase.quoted) < QUOTE_FITS ? phrase.quoted : [];
    return {
      missing: [...new Set([...missing.map(({ text }) => text), ...unidentified, ...misquoted])],
      besides: isSeries && hasKind(phrase) ? [] : this.#besides(line, phrase, intent),
      tier: this.#tier(line, phrase),
      synonyms: phrase.words.filter((word) => isDistinctiveOrHead(word) && this.#evidence.isOwnBySynonym(line, word))
        .length,
      verbs: phrase.words.filter((word) => word.sort === 'verb' && this.#evidence.isOwn(line, word)).length,
      isOfRole:
        hasKind({ words: phrase.words.filter((word) => !called.has(word)) }) &&
        (phrase.roles?.has(line.node.role) ?? false),
    };
  }

  #isExplained(line: Line, { word, index, phrase, intent }: WordCheck): boolean {
    const isOwn = this.#evidence.isOwn(line, word);
    switch (word.sort) {
      case 'little':
        return true;
      case 'joint':
        return this.#isJoined(line, phrase.words, index);
      case 'verb':
      case 'head':
        return isOwn || this.#namesAction(line, { word, index, phrase, intent });
      case 'kind':
        return (
          isOfKind(word.stem, line.node) ||
          isNamedSo(line, word) ||
          (word.stem === HEADING_STEM && closest(line, HEADING_ROLES) !== null) ||
          (intent === 'drag' && DROPPED_ON.has(word.stem))
        );
      case 'kindAround':
      case 'noun':
        if (isGroupName(word, line.node)) return false;
        // The page title does not match a main noun: on a page about files, "Starred" is not a file.
        if (word.isMain ? this.#isNearby(line, word) : this.#isSomewhere(line, word)) return true;
        // A noun for a kind can also be a name, as in "of the Buttons".
        return !word.isName && (isOfOwnKind(word, line.node) || isItemNoun(word.stem, { line, intent }));
      case 'content':
        if (isNewlyMade(word, phrase)) return true;
        if (word.place === 'own') return isOwn;
        if (word.place === 'around') return this.#evidence.isNear(line, word) || this.#evidence.isInside(line, word);
        return isOwn || this.#isBeside(line, word);
    }
  }

  #isSomewhere(line: Line, word: TargetWord): boolean {
    return this.#evidence.isOwn(line, word) || this.#isBeside(line, word);
  }

  #isNearby(line: Line, word: TargetWord): boolean {
    return this.#evidence.isOwn(line, word) || this.#evidence.isNear(line, word) || this.#evidence.isInside(line, word);
  }

  /** Stop words that count as content, such as "most", must be on the element itself. */
  #isBeside(line: Line, word: TargetWord): boolean {
    return (
      (word.isName || !isStopWord(word.text)) &&
      (this.#evidence.isAround(line, word) || this.#evidence.isInside(line, word))
    );
  }

  /** True if a single string contains the words on both sides of the conjunction. */
  #isJoined(line: Line, words: readonly TargetWord[], index: number): boolean {
    const left = words.slice(0, index).findLast(isDistinctive);
    const right = words.slice(index + 1).find(isDistinctive);
    return !left || !right || this.#evidence.areTogether(line, left, right);
  }

  #namesAction(line: Line, { word: { text, stem, sort }, phrase, intent }: WordCheck): boolean {
    // "The search field" describes the field, so its "search" does not name the action of typing.
    const isNamedKind = hasKind(phrase);
    if (VERBS_BY_INTENT.has(intent)) return isVerbOf(intent, text) && !(SEARCH_VERBS.has(text) && isNamedKind);
    if (isPlainVerb(text)) return !(isViewingVerb(text) && isField(line.node));
    if (isConsentingVerb(text)) return line.node.role === 'button' || isCheckable(line.node);
    return (
      sort === 'head' && CHOICE_ROLES.has(line.node.role) && this.#evidence.isAround(line, { stem, isName: false })
    );
  }

  /** True if the element itself is described by verb, noun or kind, and not only its location. */
  #isIdentified(line: Line, phrase: Phrase, intent: Intent): boolean {
    // A select is identified by its option.
    if (intent === 'option') return true;
    const { words } = phrase;
    const isOwn = (word: QueryWord): boolean => this.#evidence.isCalled(line, word);
    const head = words.find(({ isHead }) => isHead);
    // "Download" matches every link to a file, so another word must identify the link.
    const isHeadImplied = head && this.#evidence.isOwn(line, head) && !isOwn(head);
    if (head && !isHeadImplied) return !isField(line.node) || intent !== 'use';
    const main = words.filter((word) => word.isMain && word.sort === 'content');
    const noun = main.at(-1);
    if (noun) {
      // "The dark theme" matches an element "Dark" under "Theme".
      const isUnderNoun = noun.isName || this.#evidence.isUnder(line, noun);
      return isOwn(noun) || (main.some(isOwn) && isUnderNoun) || this.#isOnlyOne(line, phrase, intent);
    }
    const isCalledBy = (word: TargetWord): boolean => (word.sort === 'kind' ? isNamedSo(line, word) : isOwn(word));
    if (
      words.some(
        (word) => !isFunctionWord(word) && !word.isContainerName && word.place !== 'around' && isCalledBy(word),
      )
    )
      return true;
    return this.#isOnlyOne(line, phrase, intent);
  }

  /** True if the element is the only one of its kind in the named place, else in its record, else on the page. */
  #isOnlyOne(line: Line, { words }: Phrase, intent: Intent): boolean {
    const kind = words.find(({ sort }) => sort === 'kind');
    const record = recordOf(line) ?? closest(line, ITEM_ROLES);
    const isChecked = intent === 'check' || intent === 'uncheck';
    if (!kind && !(record && isChecked)) return false;
    const isPlainKind = kind && rolesNamed(kind.stem)?.has(line.node.role);
    const isKind = (node: SnapshotNode): boolean =>
      !kind
        ? isCheckable(node)
        : isPlainKind
          ? (rolesNamed(kind.stem)?.has(node.role) ?? false)
          : isOfKind(kind.stem, node);
    const places = words.filter((word) => !word.isMain && word.sort === 'content');
    const isInPlace = (other: Line): boolean =>
      places.every((word) => this.#evidence.isNear(other, word) || this.#evidence.isInside(other, word));
    const isRival = (other: Line): boolean =>
      record !== null && places.length === 0 ? isWithin(other, record) : places.length === 0 || isInPlace(other);
    return (
      isKind(line.node) &&
      (places.length === 0 || isInPlace(line)) &&
      this.#page.elements.every((other) => other === line || !isKind(other.node) || !isRival(other))
    );
  }

  #besides(line: Line, { words }: Phrase, intent: Intent): readonly string[] {
    if (intent !== 'use' || !ACTION_ROLES.has(line.node.role)) return [];
    const name = wordsOf(line.node.name);
    const isMentioned = ({ stem }: Word): boolean => words.some((word) => matchesWord(word, stem));
    const verb = leadingActionVerb(line.node);
    const isByHead = words.some((word) => word.isHead && this.#evidence.isOwn(line, word));
    const isVerbOpen =
      verb && !(isByHead && LIGHT_VERBS.has(verb.text)) && !words.some((word) => namesVerb(word, verb));
    const unmentionedVerb = isVerbOpen ? [verb.text] : [];
    const at = name.findIndex(({ text }, index) => index > 0 && NARROWING.has(text));
    const narrowed = at < 0 ? [] : name.slice(at).filter((word) => !isStopWord(word.text) && !isMentioned(word));
    const isNarrowed = narrowed.length > 0 && narrowed.length === name.slice(at).filter(isDistinctiveWord).length;
    return [...unmentionedVerb, ...(isNarrowed && verb ? narrowed.map(({ text }) => text) : [])];
  }

  #tier(line: Line, { words }: Phrase): number {
    const distinctive = words.filter(isDistinctiveOrHead);
    if (!distinctive.every((word) => this.#evidence.isOwn(line, word))) return 2;
    const name = wordsOf(nameOf(line)).filter(isDistinctiveWord);
    return name.length > 0 && name.every((own) => words.some((word) => matchesWord(word, own.stem))) ? 0 : 1;
  }
}

function nameOf({ node, label }: Line): string {
  return label && isUnnamedField(node) ? label.node.name : node.name || node.placeholder || '';
}

/** True if the name contains exactly this word: "the icon" does not match "Icons". */
function isNamedSo({ node: { name, placeholder } }: Line, { text }: TargetWord): boolean {
  return wordsOf(name || placeholder || '').some((word) => word.text === text);
}

interface WordCheck {
  readonly word: TargetWord;
  readonly index: number;
  readonly phrase: Phrase;
  readonly intent: Intent;
}

/** Verbs with which users express each intent. */
const VERBS_BY_INTENT: ReadonlyMap<Intent, ReadonlySet<string>> = new Map(
  (
    [
      [
        'write',
        'type enter input write put insert paste fill complete set change update switch adjust modify edit make turn rename replace search look query find lookup apply use add in out',
      ],
      ['search', 'search look query find'],
      ['choose', 'set change update switch adjust modify edit make turn select choose pick use take'],
      ['option', 'show display view see list filter sort order arrange rank select choose pick use set change switch'],
    ] as const
  ).map(([intent, verbs]) => [intent, new Set(wordList(verbs))]),
);

const SEARCH_VERBS: ReadonlySet<string> = new Set(wordList('search look query find lookup'));

export function isVerbOf(intent: Intent, text: string): boolean {
  return VERBS_BY_INTENT.get(intent)?.has(text) ?? false;
}

/** Verbs that the instruction may omit: "favourite" can mean "Add to favourites". */
const LIGHT_VERBS = new Set(wordList('add save'));
/** After one of these verbs, the page need not contain "new" or "another". */
const MAKING = new Set(stemsOf('add create write insert compose make'));

function isNewlyMade({ text }: TargetWord, { words }: Phrase): boolean {
  return (text === 'new' || text === 'another') && words.some(({ isHead, stem }) => isHead && MAKING.has(stem));
}

/**
 * Returns the words of the phrase that are the complete name of the element. This also matches names of stop words,
 * such as "About me".
 */
function wordsOfName(line: Line, { words }: Phrase): ReadonlySet<TargetWord> {
  const { name, placeholder = '' } = line.node;
  for (const text of new Set([name || placeholder, nameOf(line)])) {
    const called = wordsOf(text);
    const start =
      called.length === 0 ? -1 : words.findIndex((_word, index) => startsWithName(called, words.slice(index)));
    if (start >= 0) return new Set(words.slice(start, start + called.length));
  }
  return new Set();
}

function startsWithName(name: readonly Word[], words: readonly TargetWord[]): boolean {
  return name.every(({ text }, index) => words[index]?.text === text && words[index]?.place !== 'around');
}

/**
 * True if "the starred file" means an item under the heading "Starred", so that an element named "Starred" is not the
 * target.
 */
function isGroupName({ text, stem, isMain }: TargetWord, { name }: SnapshotNode): boolean {
  return isMain && ITEM_NOUNS.has(stem) && !text.endsWith('s') && /^\p{Lu}?\p{L}+ed$/u.test(name);
}

/** False if the matched name is only a location in the phrase: "events on April 7" does not mean the element "7". */
function isNamedByMainWords(called: ReadonlySet<TargetWord>, { words }: Phrase): boolean {
  if ([...called].every(({ isContainerName }) => isContainerName)) return false;
  return words.every((word) => called.has(word) || !word.isMain || word.sort !== 'content');
}

/** Words that make the name before them more specific, as in "Register with Google" and "Delete all". */
const NARROWING = new Set(wordList('with as via using without all every another'));
/** Nouns for drag sources and drop targets, regardless of role. */
const DROPPED_ON = new Set(stemsOf('column row cell box field folder'));
const PAGE_NOUNS = new Set(stemsOf('page site website screen app application view'));
/** Roles of containers for site navigation. */
const SECTION_ROLES: ReadonlySet<string> = new Set(['navigation', 'banner', 'complementary', 'tablist', 'toolbar']);
const HEADING_ROLES: ReadonlySet<string> = new Set(['heading']);
/** Nouns that fit any element. */
const CLASSES = new Set(
  stemsOf('category section area part step type kind option item thing element widget control filter setting'),
);
/** Nouns for items that have a row, card or link. */
const ITEM_NOUNS = new Set(
  stemsOf(
    'product entry article version post order result file folder card chip swatch tile record row line email mail message user list',
  ),
);

/** True if the noun only says what kind of item the element or its record is. */
function isItemNoun(stem: string, { line, intent }: { line: Line; intent: Intent }): boolean {
  if (PAGE_NOUNS.has(stem) || CLASSES.has(stem)) return true;
  const { role, states } = line.node;
  if (!ITEM_NOUNS.has(stem)) return false;
  if (recordOf(line) !== null || intent === 'option' || states.includes('draggable')) return true;
  // Links in navigation open lists, so "the product on sale" does not match "Sales".
  const isItem =
    role === 'link' ||
    (role === 'button' && leadingActionVerb(line.node) === undefined) ||
    (role === 'generic' && states.includes('clickable'));
  return isItem && closest(line, SECTION_ROLES) === null;
}

/** True if the noun names the element's kind. In "the link of the menu", "menu" is a container and does not count. */
function isOfOwnKind({ stem, sort }: TargetWord, node: SnapshotNode): boolean {
  return isOfKind(stem, node) && !(sort === 'kindAround' && CONTAINERS.has(stem));
}

const CONTAINERS: ReadonlySet<string> = new Set([...KIND_STEMS.values()].flat());

function hasKind({ words }: Pick<Phrase, 'words'>): boolean {
  return words.some(({ sort }) => sort === 'kind');
}

function isFunctionWord({ sort }: TargetWord): boolean {
  return sort === 'little' || sort === 'joint';
}

function isDistinctiveOrHead({ sort }: TargetWord): boolean {
  return sort === 'content' || sort === 'head';
}

function isDistinctive({ sort }: TargetWord): boolean {
  return sort === 'content' || sort === 'kind' || sort === 'noun';
}

function isDistinctiveWord({ text }: Word): boolean {
  return !isStopWord(text);
}

function isField(node: SnapshotNode): boolean {
  return takesText(node) || hasOptions(node) || node.role === 'combobox';
}

/** Returns the word that should identify the element but does not. */
function headWords({ words }: Phrase): readonly string[] {
  const head = words.find(({ isHead }) => isHead);
  const noun = head ?? words.findLast((word) => word.isMain && word.sort === 'content');
  const other = noun ?? words.findLast(({ sort }) => sort !== 'little') ?? words.at(-1);
  return other ? [other.text] : [];
}

/**
 * Returns the verb at the start of a control's name, or `undefined` if it starts with another word. If the name is only
 * a symbol such as "×", uses the tooltip.
 */
export function leadingActionVerb({ name, description = '' }: SnapshotNode): Word | undefined {
  const isHinted = name !== '' && description.startsWith(HINT) && !/[\p{L}\p{N}]/u.test(name);
  const [verb] = wordsOf(isHinted ? description.slice(HINT.length) : name);
  if (!verb) return undefined;
  // "New project" creates and "Mark as paid" changes something. "View project" only opens a page.
  return CHANGING.has(verb.text) || (isActionVerb(verb.stem) && !isAlsoNoun(verb.stem)) ? verb : undefined;
}

const HINT = 'hint: ';
const CHANGING: ReadonlySet<string> = new Set(['new', 'mark', 'set', 'turn', 'make', 'move', 'put']);

function namesVerb({ stem, sort }: TargetWord, verb: Word): boolean {
  return (
    stem === verb.stem || ((sort === 'head' || sort === 'verb' || !isAlsoNoun(stem)) && isSameWord(stem, verb.stem))
  );
}

/** Kinds must match exactly: "checkbox" does not match "checked". */
function matchesWord({ stem, isName, isKind = false }: TargetWord, other: string): boolean {
  return isName || isKind ? stem === other : isSameWord(stem, other);
}
