import { ExtractError } from '../../errors.ts';
import { similarity } from '../text/concepts.ts';
import { foldText, stemsOf, wordsOf } from '../text/words.ts';
import type { Field } from './field.ts';
import { parseNumber } from './parse-value.ts';
import type { Segment } from './segment.ts';

/** Conditions in an instruction, such as "under $50" or "the first five". */
export interface Filter {
  /** True if a record meets all conditions. `values` are its extracted fields. */
  accepts(values: Readonly<Record<string, unknown>>, record: Segment): boolean;
  limit<T>(items: readonly T[]): readonly T[];
  /** Words of the instruction that became conditions. */
  readonly words: readonly string[];
}

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};
const COUNT = `\\d+|${Object.keys(NUMBER_WORDS).join('|')}`;
const LIMIT = new RegExp(`\\b(?<end>first|top|last)\\s+(?<count>${COUNT})\\b`, 'i');
const BOUND =
  /\b(?<word>\p{L}+)?\s*(?:(?:is|are|of|costing|priced|that cost|which cost)\s+)?(?<relation>under|below|less than|fewer than|cheaper than|lower than|at most|up to|no more than|over|above|more than|greater than|higher than|at least|no less than|exceeding|<=|>=|<|>)\s+(?<bound>[$€£¥]?\s?\d[\d.,]*(?:\s?(?:[$€£¥%]|euros?|dollars?|pounds?|percent|stars?)(?![\p{L}]))?)/iu;
const LESS = /under|below|less than|fewer|cheaper|lower|at most|up to|no more|</i;
const INCLUSIVE = /at most|at least|up to|no more|no less|=/i;
const CONTAINING =
  /\b(?:containing|contain(?:s)?|with|mentioning|named|called|matching|from|by)\s+["“']([^"”']+)["”']/i;
const ONLY =
  /\b(?:only|that are|which are|who are|whose status is|with (?:the )?status(?: of)?|marked(?: as)?|are)\s+(?:the\s+)?(?<words>["“']?[\p{L}-]+(?:\s+(?:of\s+)?stock)?)/iu;
const STOCK = /\b(?:in|out of) stock\b/i;
const BEYOND =
  /\b(?:sort(?:ed)? by|order(?:ed)? by|rank(?:ed)? by|summari[sz]e|summary of the page|translate|average|mean of|sum of|median|group(?:ed)? by|compare|explain)\b/i;

/**
 * Parses the conditions in an instruction.
 * @throws ExtractError if the instruction asks for more than reading, such as sorting.
 */
export function readFilter(instruction: string, fields: readonly Field[]): Filter {
  const beyond = BEYOND.exec(instruction)?.[0];
  if (beyond)
    throw new ExtractError(
      `offline/lexical only reads values and does not support ${JSON.stringify(beyond)}. Do that step in your code, or use another model.`,
      { parts: [beyond] },
    );
  const tests = [numericTest(instruction, fields), wordTest(instruction)].filter((test) => test !== undefined);
  const { limit, matchedText } = limitOf(instruction);
  return {
    accepts: (values, record) => tests.every(({ accepts }) => accepts(values, record)),
    limit,
    words: wordsOf([matchedText, ...tests.map((test) => test.matchedText)].join(' ')).map(({ text }) => text),
  };
}

interface Test {
  readonly accepts: Filter['accepts'];
  /** The part of the instruction that became this condition. */
  readonly matchedText: string;
}

function numericTest(instruction: string, fields: readonly Field[]): Test | undefined {
  const match = BOUND.exec(instruction);
  const { word = '', relation = '', bound = '' } = match?.groups ?? {};
  const limit = parseNumber(bound);
  const field = comparedField(word, fields);
  if (limit === undefined || !field) return undefined;
  const isLess = LESS.test(relation);
  const isInclusive = INCLUSIVE.test(relation);
  const accepts: Test['accepts'] = (values) => {
    const raw = values[field.name];
    const value = typeof raw === 'number' ? raw : parseNumber(String(raw ?? ''));
    if (value === undefined) return false;
    return value === limit ? isInclusive : value < limit === isLess;
  };
  return { accepts, matchedText: (match?.[0] ?? '').slice(word.length) };
}

/** Returns the field named before the comparison, else a price, else the only number. */
function comparedField(word: string, fields: readonly Field[]): Field | undefined {
  const [stem] = stemsOf(word);
  const named =
    stem === undefined
      ? undefined
      : fields.find(({ stems }) => stems.some((other) => similarity(stem, other) >= NAMED));
  const numbers = fields.filter(({ kind }) => kind === 'number');
  return (
    named ??
    fields.find(({ stems }) => stems.some((other) => PRICES.includes(other))) ??
    (numbers.length === 1 ? numbers[0] : undefined)
  );
}

const NAMED = 0.8;
const PRICES = stemsOf('price cost amount total');

function wordTest(instruction: string): Test | undefined {
  const quoted = CONTAINING.exec(instruction)?.[1];
  const stock = STOCK.exec(instruction)?.[0];
  const only = ONLY.exec(instruction);
  const phrase = quoted ?? stock ?? only?.groups?.words?.replace(/["“']/g, '');
  if (phrase === undefined) return undefined;
  const matchedText = quoted === undefined ? (stock ?? only?.[0] ?? '') : (CONTAINING.exec(instruction)?.[0] ?? '');
  const wanted = foldText(phrase);
  const [stem = ''] = stemsOf(phrase);
  if (wanted.includes(' ') || quoted)
    return {
      matchedText,
      accepts: (_values, { texts }) => texts.some(({ text }) => ` ${foldText(text)} `.includes(` ${wanted} `)),
    };
  return { matchedText, accepts: (_values, record) => record.stems.has(stem) };
}

function limitOf(instruction: string): { limit: Filter['limit']; matchedText: string } {
  const match = LIMIT.exec(instruction);
  const { end = '', count = '' } = match?.groups ?? {};
  const wanted = NUMBER_WORDS[count.toLowerCase()] ?? Number.parseInt(count, 10);
  if (!match || Number.isNaN(wanted)) return { limit: (items) => items, matchedText: '' };
  const isLast = end.toLowerCase() === 'last';
  return { limit: (items) => (isLast ? items.slice(-wanted) : items.slice(0, wanted)), matchedText: match[0] };
}
