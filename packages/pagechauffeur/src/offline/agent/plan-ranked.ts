import type { ProposedAction } from '../../model/model-client.ts';
import { findStep, type FoundStep } from '../answer/answer-act.ts';
import { moneyIn, parseNumber } from '../extract/parse-value.ts';
import { MaskedText } from '../grammar/masked-text.ts';
import { readInstruction } from '../grammar/read-instruction.ts';
import { type Line, closest } from '../page/line.ts';
import { PageIndex } from '../page/page-index.ts';
import { CELL_ROLES } from '../page/roles.ts';
import { recordOf } from '../page/surroundings.ts';
import { Ranker } from '../rank/ranker.ts';
import { type Plan, type Situation, cannot } from './situation.ts';
import { planFor } from './tool-calls.ts';
import { wordsIgnored } from './words-ignored.ts';

/** A ranking by price in a clause, such as "the second cheapest mug". */
export interface Rank {
  /** The ranking words, such as "cheapest". */
  readonly matchedText: string;
  /** The clause without the ranking words: "add the mug" for "add the cheapest mug". */
  readonly words: string;
  readonly isHighest: boolean;
  /** Counted from 1. */
  readonly position: number;
}

const POSITIONS = ['', 'second', 'third', 'fourth', 'fifth'];
const POSITION = `(?:(?<place>${POSITIONS.slice(1).join('|')})[ -])?`;
const LOW = 'cheapest|lowest[ -]priced|least expensive|least costly|most affordable';
const HIGH = 'most expensive|highest[ -]priced|priciest|dearest|most costly|costliest';
const BEFORE = new RegExp(`\\b${POSITION}(?:(?<low>${LOW})|(?<high>${HIGH}))\\b ?(?:one\\b ?)?`, 'i');
const AFTER = new RegExp(
  `\\s(?:with|at|for|by|that has|which has) (?:the )?${POSITION}(?:(?<low>lowest|smallest)|(?<high>highest|largest|biggest)) (?:price|cost|prices)\\b`,
  'i',
);

export function rankIn(words: string): Rank | undefined {
  const masked = new MaskedText(words);
  const match = BEFORE.exec(masked.text) ?? AFTER.exec(masked.text);
  const { place, high } = match?.groups ?? {};
  if (!match) return undefined;
  const rest = masked.restore(
    `${masked.text.slice(0, match.index)}${masked.text.slice(match.index + match[0].length)}`,
  );
  const position = place === undefined ? 1 : POSITIONS.indexOf(place.toLowerCase()) + 1;
  return { matchedText: masked.restore(match[0]).trim(), words: rest.trim(), isHighest: high !== undefined, position };
}

/** Plans an action on the item at a position in the ranking. Fails unless every item shows exactly one price. */
export function planRanked(situation: Situation, rank: Rank): Plan {
  const { index } = situation;
  const more = index.elements.find(({ node }) => SHOWS_MORE.test(node.name) && !node.states.includes('disabled'));
  if (more)
    return cannot(
      `the page may have more items than it shows: it has a ${more.node.role} ${JSON.stringify(more.node.name)}`,
    );
  const priced = findItems(situation, rank.words).map((thing) => ({ ...thing, price: priceOf(index, thing.record) }));
  const unpriced = priced.find(({ price }) => price === undefined);
  if (unpriced)
    return cannot(`the page does not show exactly one price for ${JSON.stringify(index.textOf(unpriced.record))}`);
  if (new Set(priced.map(({ price }) => price?.unit)).size > 1) return cannot('the prices are in several currencies');
  const sign = rank.isHighest ? -1 : 1;
  const ordered = priced.toSorted((left, right) => sign * ((left.price?.amount ?? 0) - (right.price?.amount ?? 0)));
  const chosen = ordered[rank.position - 1];
  if (!chosen)
    return cannot(
      `the clause needs ${rank.position} or more items with a price, and ${ordered.length} match ${JSON.stringify(rank.words)}`,
    );
  const equal = ordered.filter(({ price }) => price?.amount === chosen.price?.amount);
  if (equal.length > 1) return cannot(`${equal.length} items have the same price, ${chosen.price?.amount}`);
  const ignored = wordsIgnored(situation, chosen.action, rank.words);
  if (ignored.length > 0)
    return cannot(
      `the closest match is ${chosen.action.description}, but that step would ignore ${ignored.join(', ')}`,
    );
  return planFor(chosen.action, situation);
}

/** Names of controls that show the rest of a list. */
const SHOWS_MORE = /^(?:next(?: page)?|(?:load|show|see|view) (?:more|all)\b.*|older|[›»→])$/i;

interface RankedItem {
  readonly record: Line;
  readonly action: ProposedAction;
}

/**
 * Returns every item that the words may refer to, with the action on it. Returns an empty array if one of them is in no
 * record or has no such action.
 */
function findItems(situation: Situation, words: string): readonly RankedItem[] {
  const { index, page, ranker } = situation;
  const { action, outcome, candidates } = stepOn(situation, ranker, words);
  if (action) return withRecords(index, [action]);
  if (outcome !== 'ambiguous') return withRecords(index, everyItem(situation, words));
  const actions = candidates.map((ref) => {
    const record = recordAt(index, ref);
    const near =
      record && new Ranker(new PageIndex({ nodes: [record.node], title: titleOver(index, record), url: page.url }));
    const own = near && stepOn(situation, near, words).action;
    return own?.ref === ref ? own : undefined;
  });
  return actions.includes(undefined)
    ? []
    : withRecords(
        index,
        actions.filter((own) => own !== undefined),
      );
}

/** Returns the page title and the headings above the record, which may name the item. */
function titleOver({ title }: PageIndex, record: Line): string {
  const names = [title];
  for (let heading = record.heading; heading; heading = heading.heading) names.push(heading.node.name);
  return names.join(' ');
}

function stepOn({ variables }: Situation, ranker: Ranker, words: string): FoundStep {
  return findStep(ranker, readInstruction(words, variables));
}

/** Handles "open the product", which names only a kind of item. Returns every item of that kind. */
function everyItem(situation: Situation, words: string): readonly ProposedAction[] {
  const actions: ProposedAction[] = [];
  for (let position = 1; ; position += 1) {
    const counted = words.replace(/^(\S+) (?:the |an? )?/, `$1 the ${position}th `);
    const { action } = stepOn(situation, situation.ranker, counted);
    if (!action || actions.some(({ ref }) => ref === action.ref)) return actions;
    actions.push(action);
  }
}

function withRecords(index: PageIndex, actions: readonly ProposedAction[]): readonly RankedItem[] {
  const things = actions.flatMap((action): RankedItem[] => {
    const record = recordAt(index, action.ref);
    return record ? [{ record, action }] : [];
  });
  return things.length === actions.length ? things : [];
}

function recordAt(index: PageIndex, ref: string): Line | null {
  const line = index.elements.find(({ node }) => node.ref === ref);
  return (line && recordOf(line)) ?? null;
}

interface Price {
  readonly amount: number;
  /** Currency sign or name. Empty in a price column without currencies. */
  readonly unit: string;
}

const PRICED = /\b(?:price|cost|fare|rate)\b/i;

/** Returns the price of a record: the cell in the price column, else the only amount of money. */
function priceOf(index: PageIndex, record: Line): Price | undefined {
  const column = index.headersOver(record).findIndex(({ node }) => PRICED.test(node.name));
  const lines = index.lines.slice(record.index, record.end);
  const inColumn = lines.filter((line) => column >= 0 && cellOf(line)?.node === record.node.children[column]);
  const text = (inColumn.length > 0 ? inColumn : lines).map(({ node }) => node.name).join(' ');
  const sums = new Set(moneyIn(text));
  const [sum = inColumn.length > 0 ? text : ''] = sums;
  const amount = parseNumber(sum);
  if (sums.size > 1 || amount === undefined) return undefined;
  return { amount, unit: sums.size === 0 ? '' : sum.replaceAll(/[\d.,'\s-]/g, '') };
}

function cellOf(line: Line): Line | null {
  return CELL_ROLES.has(line.node.role) ? line : closest(line, CELL_ROLES);
}
