import { type Phrase, type TargetWord, withSurroundings } from '../grammar/phrase.ts';
import { rolesNamed } from '../grammar/kind-words.ts';
import { isPlainValue } from '../grammar/plain-value.ts';
import type { Reading } from '../grammar/reading.ts';
import { closest, type Line } from '../page/line.ts';
import { isVerbOf, isWhole } from '../rank/account.ts';
import { type OptionFit, optionMentioned, optionNamed } from '../rank/best-option.ts';
import { decide, type Decision, type Understood } from '../rank/decide.ts';
import type { Ranker } from '../rank/ranker.ts';
import { choiceFit, closedListFit, rankOptionsFor } from '../rank/role-fit.ts';
import { stem } from '../text/stem.ts';
import { isGenericNoun } from '../text/word-classes.ts';
import { propose, type Proposal } from './proposal.ts';
import { oneWinner } from '../rank/one-winner.ts';

/** Score factor for a list that must be opened first. Visible choices rank higher. */
const CLOSED_LIST_SHARE = 0.95;

/**
 * Handles "choose Germany from the country list". The choice can be an option of a select, a visible element, or behind
 * a closed list.
 */
export function proposeChoice(ranker: Ranker, reading: Reading): readonly Proposal[] {
  const ofSelect = optionOfSelect(ranker, reading);
  const visible = visibleChoice(ranker, reading);
  if (ofSelect?.action) {
    const rivals = (visible?.equals ?? []).filter(({ line }) => isInOpenList(line));
    return [rivals.length === 0 ? ofSelect : { ...ofSelect, action: null, equals: [...ofSelect.equals, ...rivals] }];
  }
  return [ofSelect, visible, closedList(ranker, reading)].filter((proposal) => proposal !== undefined);
}

/** True for an option of a multi-select listbox. Its name can equal an option of a select on the same page. */
function isInOpenList(line: Line): boolean {
  return line.node.role === 'option' && (closest(line, LISTBOXES)?.node.states.includes('multiselectable') ?? false);
}

const LISTBOXES: ReadonlySet<string> = new Set(['listbox']);

function optionOfSelect(ranker: Ranker, reading: Reading): Proposal | undefined {
  const value = reading.value ?? '';
  const options = rankOptionsFor('choose');
  const roleFit: typeof options.roleFit = (node) =>
    node.options && optionNamed(node.options, value) !== null ? options.roleFit(node) : 0;
  return propose(reading, decide(ranker, reading.target, { ...options, roleFit }), ({ options: labels = [] }) => {
    const label = optionNamed(labels, value);
    return label === null ? null : { method: 'select', arguments: [label] };
  });
}

/**
 * Proposes a click on a visible element, such as a radio button or tab, that is named by the value and located in the
 * described list.
 */
function visibleChoice(ranker: Ranker, reading: Reading): Proposal | undefined {
  if (!reading.object) return undefined;
  const phrase = choiceIn(reading.object, reading.target);
  const value = reading.value ?? '';
  const roleFit: typeof choiceFit = (node) => (isOtherNumber(node.name, value) ? 0 : choiceFit(node));
  return propose(reading, decide(ranker, phrase, { intent: 'use', roleFit, isKindKnown: false }), () => ({
    method: 'click',
  }));
}

/**
 * True if a value such as "Option 12" differs from the name. Without this check, "12" in a calendar or badge would
 * match.
 */
function isOtherNumber(name: string, value: string): boolean {
  const [word, number] = value.split(' ');
  if (word === undefined || number === undefined || !/^\d+$/.test(number) || value !== `${word} ${number}`)
    return false;
  const kind = stem(word.toLowerCase());
  const isKind = rolesNamed(kind) !== undefined || isGenericNoun(kind);
  return isKind && name.toLowerCase() !== value.toLowerCase();
}

function choiceIn(choice: Phrase, list: Phrase): Phrase {
  return {
    words: [
      ...choice.words.map((word) => ({ ...word, place: 'own' as const, isHead: false })),
      ...withSurroundings(choice, withoutVerb(list)).words.slice(choice.words.length),
    ],
    quoted: choice.quoted,
    roles: null,
    ordinal: choice.ordinal,
    isOrdinalAside: false,
  };
}

function withoutVerb(list: Phrase): Phrase {
  return { ...list, words: list.words.filter(({ sort, text }) => sort !== 'verb' && !isVerbOf('choose', text)) };
}

function closedList(ranker: Ranker, reading: Reading): Proposal | undefined {
  if (!isPlainValue(reading.value ?? '', { hasField: true })) return undefined;
  const options = { intent: 'choose', roleFit: closedListFit, isKindKnown: true } as const;
  const decision = decide(ranker, { ...reading.target, roles: null }, options);
  const proposal = propose(reading, decision, () => ({ method: 'click', twoStep: true }));
  return proposal && { ...proposal, score: proposal.score * CLOSED_LIST_SHARE };
}

const MIN_OPTION_FIT = 0.5;
const OPTION_SHARE = { base: 0.75, fit: 0.25 };

/**
 * Handles "show only shipped orders": proposes a select with an option that the sentence mentions. The other words must
 * describe the select.
 */
export function proposeOption(ranker: Ranker, reading: Reading): readonly Proposal[] {
  const optionByRef = new Map<string, string>();
  const understood: Understood[] = [];
  for (const line of ranker.page.elements) {
    const { options, ref = '' } = line.node;
    const mentioned = options && optionMentioned(options, reading.target.words);
    if (!mentioned || mentioned.fit < MIN_OPTION_FIT) continue;
    const account = ranker.account(line, withoutOption(reading.target, mentioned), { intent: 'option' });
    if (!isWhole(account)) continue;
    optionByRef.set(ref, mentioned.option);
    understood.push({
      line,
      account,
      coverage: 1,
      own: 0,
      score: OPTION_SHARE.base + OPTION_SHARE.fit * mentioned.fit,
    });
  }
  if (understood.length > 0) understood.push(...listOptions(ranker, reading, understood));
  const equals = understood.toSorted((left, right) => right.score - left.score);
  const winner = oneWinner(equals, { page: ranker.page });
  const decision: Decision = {
    winner,
    equals: winner ? [winner] : equals,
    understood,
    nearest: equals,
    mismatch: null,
  };
  const proposal = propose(reading, decision, ({ ref = '' }) => ({
    method: 'select',
    arguments: [optionByRef.get(ref) ?? ''],
  }));
  return proposal ? [proposal] : [];
}

/** Returns options in multi-select listboxes that match the sentence too, which makes it ambiguous. */
function listOptions(ranker: Ranker, { target }: Reading, [best]: readonly Understood[]): readonly Understood[] {
  return ranker.page.elements.filter(isInOpenList).flatMap((line) => {
    const accounted = ranker.account(line, target, { intent: 'option' });
    return best && isWhole(accounted) ? [{ ...best, line, account: accounted }] : [];
  });
}

/** Words that accompany an option, as in "only the shipped ones" and "cheapest first". */
const SINGLING_WORDS: ReadonlySet<string> = new Set(['only', 'first']);

function withoutOption(target: Phrase, { found }: OptionFit): Phrase {
  const isOption = (word: TargetWord): boolean => found.has(word) || SINGLING_WORDS.has(word.text);
  return { ...target, quoted: [], roles: null, words: target.words.filter((word) => !isOption(word)) };
}
