import { figuresIn } from './figures.ts';
import { folded, wordsIn } from './words.ts';

/** Number words in the most common languages of instructions, without accents. */
const COUNTS: readonly string[] = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  'null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
  'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt',
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte',
  'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti',
];
const TENS: readonly string[] = [
  'thirty forty fifty sixty seventy eighty ninety',
  'dreißig vierzig funfzig sechzig siebzig achtzig neunzig',
  'trente quarante cinquante soixante',
  'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  'trenta quaranta cinquanta sessanta settanta ottanta novanta',
];
const ORDINALS: readonly string[] = [
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth',
  '- erste zweite dritte vierte funfte sechste siebte achte neunte zehnte elfte zwolfte',
  '- premier deuxieme troisieme',
  '- primero segundo tercero',
];
const FIXED: Readonly<Record<string, number>> = {
  couple: 2,
  pair: 2,
  paar: 2,
  eins: 1,
  eine: 1,
  une: 1,
  una: 1,
  twice: 2,
  dozen: 12,
  dutzend: 12,
  douzaine: 12,
  docena: 12,
};
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  hundert: 100,
  cent: 100,
  cien: 100,
  ciento: 100,
  cento: 100,
  k: 1000,
  thousand: 1000,
  tausend: 1000,
  mille: 1000,
  mil: 1000,
  mila: 1000,
  million: 1_000_000,
  millionen: 1_000_000,
  millions: 1_000_000,
  millones: 1_000_000,
  milioni: 1_000_000,
  mio: 1_000_000,
};
const HAN_DIGITS = '〇一二三四五六七八九';
const HAN_SCALES: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 10_000, 萬: 10_000 };

const VALUES: ReadonlyMap<string, number> = new Map<string, number>([
  ...COUNTS.flatMap((line) => numbered(line, (index) => index)),
  ...TENS.flatMap((line) => numbered(line, (index) => (index + 3) * 10)),
  ...ORDINALS.flatMap((line) => numbered(line, (index) => index)),
  ...Object.entries(FIXED),
]);

function numbered(line: string, value: (index: number) => number): [string, number][] {
  return line.split(' ').map((word, index): [string, number] => [word, value(index)]);
}

/** Returns every number in a text, in digits or words, and the parts of larger numbers. */
export function numberPhrases(text: string): ReadonlySet<number> {
  const numbers = new Set<number>(figuresIn(text).values);
  for (const { number, scale } of scaledFigures(text)) numbers.add(Math.round(number * scale * 100) / 100);
  const words = wordsIn(text).flatMap(partsOf);
  for (const word of words) for (const number of ownNumbers(word)) numbers.add(number);
  for (const number of compounds(words)) numbers.add(number);
  for (const [run] of text.matchAll(/[〇一二三四五六七八九十百千万萬]+/g)) numbers.add(hanNumber(run));
  if (/%|\bper ?cent\b|\bprozent\b|\bpour ?cent\b|\bpor ciento\b/i.test(text))
    for (const number of [...numbers]) numbers.add(number / 100);
  return numbers;
}

/** Reads digits with a suffix, such as `5th`, `9am` and `1er`, and single number words. */
function ownNumbers(word: string): number[] {
  const figures = /^(\d+)(?:st|nd|rd|th|er|e|eme|am|pm|h|uhr)?$/.exec(word)?.[1];
  if (figures !== undefined) return [Number(figures)];
  const [, hour, minute] = /^(\d+)h(\d+)$/.exec(word) ?? [];
  if (hour !== undefined) return [Number(hour), Number(minute)];
  const named = VALUES.get(word);
  return named === undefined ? [] : [named];
}

const AND: ReadonlySet<string> = new Set(['and', 'und', 'et', 'y', 'e']);

/** Reads numbers of several words, such as `two hundred and fifty`. */
function compounds(words: readonly string[]): number[] {
  const numbers: number[] = [];
  let total = 0;
  let current = 0;
  let isOpen = false;
  const end = (): void => {
    if (isOpen) numbers.push(total + current);
    [total, current, isOpen] = [0, 0, false];
  };
  for (const word of words) {
    const scale = SCALES[word];
    const value = VALUES.get(word) ?? (/^\d+$/.test(word) ? Number(word) : undefined);
    if (scale === 100) current = (current || 1) * scale;
    else if (scale !== undefined) [total, current] = [total + (current || 1) * scale, 0];
    else if (value !== undefined) current += value;
    else if (!isOpen || !AND.has(word)) {
      end();
      continue;
    }
    isOpen = true;
  }
  end();
  return numbers;
}

/** German and Italian write a number as one word: "zweihundert". */
function partsOf(word: string): readonly string[] {
  if (VALUES.has(word) || Object.hasOwn(SCALES, word)) return [word];
  return split(word) ?? [word];
}

function split(word: string): readonly string[] | undefined {
  for (let end = word.length; end >= 2; end -= 1) {
    const head = word.slice(0, end);
    if (!VALUES.has(head) && !Object.hasOwn(SCALES, head) && head !== 'und') continue;
    const tail = end === word.length ? [] : split(word.slice(end));
    if (tail) return head === 'und' ? tail : [head, ...tail];
  }
  return undefined;
}

/** Reads digits with a scale, such as `1.5k` and `2 million`. */
function scaledFigures(text: string): { number: number; scale: number }[] {
  const found = folded(text).matchAll(/(\d+(?:[.,]\d+)?)\s?(k|[a-z]{3,9})\b/g);
  return [...found].flatMap(([, figures = '', word = '']) => {
    const scale = Object.hasOwn(SCALES, word) ? SCALES[word] : undefined;
    return scale === undefined ? [] : [{ number: Number(figures.replace(',', '.')), scale }];
  });
}

function hanNumber(run: string): number {
  let total = 0;
  let section = 0;
  let digit = 0;
  for (const character of run) {
    const scale = HAN_SCALES[character];
    if (scale === undefined) digit = HAN_DIGITS.indexOf(character);
    else if (scale >= 10_000) [total, section, digit] = [(total + section + digit || 1) * scale, 0, 0];
    else [section, digit] = [section + (digit || 1) * scale, 0];
  }
  return total + section + digit;
}
