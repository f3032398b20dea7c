import { LLMResponseError } from '../../../errors.ts';
import { similarity } from '../text/concepts.ts';
import { foldText, stemsOf } from '../text/words.ts';
import type { Field } from './field.ts';
import { parseNumber } from './parse-value.ts';
import type { Segment } from './segment.ts';

/** Which records of a series an instruction asks for. */
export interface Filter {
  /** Whether a record is asked for, by its fields and its text. */
  accepts(values: Readonly<Record<string, unknown>>, record: Segment): boolean;
  /** Cuts the list to "the first five". */
  limit<T>(items: readonly T[]): readonly T[];
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
  /\b(?<word>\p{L}+)?\s*(?:(?:is|are|of|costing|priced|that cost|which cost)\s+)?(?<relation>under|below|less than|fewer than|cheaper than|lower than|at most|up to|no more than|over|above|more than|greater than|higher than|at least|no less than|exceeding|<=|>=|<|>)\s+(?<bound>[$€£¥]?\s?\d[\d.,]*)/iu;
const LESS = /under|below|less than|fewer|cheaper|lower|at most|up to|no more|</i;
const INCLUSIVE = /at most|at least|up to|no more|no less|=/i;
const CONTAINING =
  /\b(?:containing|contain(?:s)?|with|mentioning|named|called|matching|from|by)\s+["“']([^"”']+)["”']/i;
const ONLY =
  /\b(?:only|that are|which are|who are|whose status is|with (?:the )?status(?: of)?|marked(?: as)?|are)\s+(?:the\s+)?(?<words>["“']?[\p{L}-]+(?:\s+(?:of\s+)?stock)?)/iu;
const STOCK = /\b(?:in|out of) stock\b/i;
const BEYOND =
  /\b(?:sort(?:ed)? by|order(?:ed)? by|rank(?:ed)? by|summari[sz]e|summary of the page|translate|average|mean of|sum of|median|group(?:ed)? by|compare|explain)\b/i;

/** Reads the conditions in an instruction; throws for what takes more than reading. */
export function readFilter(instruction: string, fields: readonly Field[]): Filter {
  const beyond = BEYOND.exec(instruction)?.[0];
  if (beyond)
    throw new LLMResponseError(
      `offline/lexical reads values off the page; it cannot do what ${JSON.stringify(beyond)} asks for. Use another model, or do that step in code.`,
    );
  const tests = [numericTest(instruction, fields), wordTest(instruction)].filter((test) => test !== undefined);
  return { accepts: (values, record) => tests.every((test) => test(values, record)), limit: limitOf(instruction) };
}

type Test = (values: Readonly<Record<string, unknown>>, record: Segment) => boolean;

function numericTest(instruction: string, fields: readonly Field[]): Test | undefined {
  const { word = '', relation = '', bound = '' } = BOUND.exec(instruction)?.groups ?? {};
  const limit = parseNumber(bound);
  const field = comparedField(word, fields);
  if (limit === undefined || !field) return undefined;
  const isLess = LESS.test(relation);
  const isInclusive = INCLUSIVE.test(relation);
  return (values) => {
    const raw = values[field.name];
    const value = typeof raw === 'number' ? raw : parseNumber(String(raw ?? ''));
    if (value === undefined) return false;
    return value === limit ? isInclusive : value < limit === isLess;
  };
}

/** The field whose name stands before the comparison, else a price, else the only number. */
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
  const phrase = quoted ?? STOCK.exec(instruction)?.[0] ?? ONLY.exec(instruction)?.groups?.words?.replace(/["“']/g, '');
  if (phrase === undefined) return undefined;
  const wanted = foldText(phrase);
  const [stem = ''] = stemsOf(phrase);
  if (wanted.includes(' ') || quoted)
    return (_values, record) => record.texts.some(({ text }) => ` ${foldText(text)} `.includes(` ${wanted} `));
  return (_values, record) => record.stems.has(stem);
}

function limitOf(instruction: string): Filter['limit'] {
  const { end = '', count = '' } = LIMIT.exec(instruction)?.groups ?? {};
  const wanted = NUMBER_WORDS[count.toLowerCase()] ?? Number.parseInt(count, 10);
  if (Number.isNaN(wanted)) return (items) => items;
  return (items) => (end.toLowerCase() === 'last' ? items.slice(-wanted) : items.slice(0, wanted));
}
