import { numberPhrases } from './number-phrases.ts';
import { folded, wordsIn } from './words.ts';

/**
 * English is first. Only English months are recognized by three letters: the Italian abbreviations "set" and "ago" are
 * English words.
 */
const MONTHS: readonly string[] = [
  'january february march april may june july august september october november december',
  'januar februar marz april mai juni juli august september oktober november dezember',
  'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
];
const MONTH_NAMES: readonly (readonly string[])[] = MONTHS.map((line) => line.split(' '));
const WEEKDAYS =
  'monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo lunedi martedi mercoledi giovedi venerdi'.split(
    ' ',
  );
const RELATIVE: ReadonlySet<string> = new Set([
  ...WEEKDAYS,
  ...'today tomorrow yesterday tonight now next last this coming week weeks weekend month months day days hour hours minute minutes year years'.split(
    ' ',
  ),
  ...'heute morgen ubermorgen gestern jetzt nachste nachsten nachster nachstes kommende kommenden woche wochen monat monate tag tage tagen stunde stunden jahr'.split(
    ' ',
  ),
  ...'aujourd demain hier maintenant prochain prochaine semaine semaines mois jour jours heure heures hoy manana ayer ahora proximo proxima semana semanas mes dia dias hora horas oggi domani ieri prossimo prossima settimana'.split(
    ' ',
  ),
  ...'сегодня завтра вчера'.split(' '),
  ...'christmas xmas easter halloween thanksgiving valentine valentines eve birthday holiday weihnachten heiligabend ostern silvester neujahr noel paques navidad'.split(
    ' ',
  ),
]);
const RELATIVE_SIGNS = /今日|明日|明後日|昨日|来週|来月|今週|今夜|今天|明天|后天|昨天|下周|下个月|오늘|내일/;
const AFTERNOON =
  /\b(?:\d+\s?)?p\.?m\b|\b(?:afternoon|evening|night|nachmittags?|abends?|soir|apres midi|tarde|noche|sera)\b|午後|下午|晚上/;
const CLOCK =
  /\b(?:\d+\s?)?[ap]\.?m\b|\b(?:noon|midnight|o'?clock|clock|uhr|mittag|mitternacht|midi|minuit|mediodia|medianoche)\b|\d\s?h\b/;

/** Decides which numbers and month names in typed text follow from the dates and times in an instruction. */
export class DatePhrases {
  /** True for dates that depend on the current day, such as "tomorrow". */
  readonly areRelative: boolean;
  readonly #numbers: Set<number>;
  readonly #isDate: boolean;

  constructor(instruction: string) {
    const instructionWords = wordsIn(instruction);
    const text = folded(instruction);
    const months = instructionWords.flatMap(monthsCalled);
    this.#numbers = new Set([...numberPhrases(instruction), ...months]);
    this.areRelative = instructionWords.some((word) => RELATIVE.has(word)) || RELATIVE_SIGNS.test(instruction);
    this.#isDate = months.length > 0;
    this.#addHours(instructionWords, text);
    for (const [, year = ''] of instruction.matchAll(/\b\d{1,2}[./-]\d{1,2}[./-](\d{2})\b/g)) {
      this.#numbers.add(2000 + Number(year));
      this.#numbers.add(1900 + Number(year));
    }
  }

  #addHours(instructionWords: readonly string[], text: string): void {
    const hours = [...this.#numbers].filter((number) => number <= 12);
    if (instructionWords.some((word) => /^(?:half|halb|media)$/.test(word))) this.#numbers.add(30);
    if (instructionWords.some((word) => /^(?:quarter|viertel|quart|cuarto)$/.test(word)))
      for (const part of [15, 45]) this.#numbers.add(part);
    if (/\b(?:to|vor|halb|moins|menos)\b/.test(text) && [30, 15, 45].some((part) => this.#numbers.has(part)))
      for (const hour of hours) this.#numbers.add(hour - 1);
    if (AFTERNOON.test(text)) for (const hour of [...this.#numbers]) if (hour < 12) this.#numbers.add(hour + 12);
    if (/\b(?:noon|mittag|midi|mediodia)\b/.test(text)) this.#numbers.add(12);
    if (this.#isDate || CLOCK.test(text) || AFTERNOON.test(text)) this.#numbers.add(0);
    if (/\b(?:midnight|mitternacht|minuit|medianoche)\b/.test(text)) this.#numbers.add(12);
  }

  /** True if the instruction contains this number or month, or implies it, such as 15 for "3 pm". */
  supports(word: string): boolean {
    const figures = /^(\d+)(?:st|nd|rd|th|t\d+)?$/.exec(word)?.[1];
    if (figures === undefined) {
      const [, minutes, hour] = /^(\d+)t(\d+)$/.exec(word) ?? [];
      if (minutes !== undefined) return [minutes, hour].every((part) => this.#numbers.has(Number(part)));
      return monthsCalled(word).some((month) => this.#numbers.has(month)) || this.#isPartOfDay(word);
    }
    const number = Number(figures);
    return this.#numbers.has(number) || (this.#isDate && isYearNear(number));
  }

  #isPartOfDay(word: string): boolean {
    return this.#numbers.size > 0 && /^[ap]m$/.test(word) && this.#numbers.has(0);
  }
}

/** True if a text of at most 40 characters consists of possible parts of a date or time. */
export function isDateOrTime(text: string): boolean {
  if (text.length > MAX_DATE_LENGTH || !/\d|[a-z]{3}/i.test(text)) return false;
  return wordsIn(text).every(
    (word) => /^\d{1,4}(?:st|nd|rd|th|[ap]m|t\d+)?$|^[tzw]\d*$|^[ap]m$/.test(word) || isNameInDate(word),
  );
}

const MAX_DATE_LENGTH = 40;

function isNameInDate(word: string): boolean {
  return monthsCalled(word).length > 0 || WEEKDAYS.some((day) => word.length >= 2 && day.startsWith(word));
}

function monthsCalled(word: string): number[] {
  return MONTH_NAMES.flatMap((names, language) => {
    const shortest = language === 0 ? 3 : 4;
    const place = names.findIndex((month) => month === word || (word.length >= shortest && month.startsWith(word)));
    return place < 0 ? [] : [place + 1];
  });
}

/** A date without a year can mean last year, this year or next year. */
function isYearNear(number: number): boolean {
  const year = new Date().getFullYear();
  return Math.abs(number - year) <= 1;
}
