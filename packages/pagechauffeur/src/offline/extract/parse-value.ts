const CURRENCY_SIGN = '[$€£¥₹₽₩]|\\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|kr|zł)\\b';
const AMOUNT = "-?\\d+(?:[.,'\\u00a0\\u202f]\\d+)*";
/**
 * Matches an amount of money. A currency sign directly before another number belongs to that number: in "920 $49", the
 * amount is $49.
 */
const MONEY = new RegExp(`(?:${CURRENCY_SIGN})\\s?${AMOUNT}|${AMOUNT}\\s?(?:${CURRENCY_SIGN})(?!\\d)`, 'i');
const NUMBER = new RegExp(`[-−]?\\d+(?:[.,'\\u00a0\\u202f]\\d+)*(?:\\s?(?<scale>[kKmM])\\b)?`);
const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };

/** Returns the first number in a text, without currency signs and thousands separators. */
export function parseNumber(text: string): number | undefined {
  const match = NUMBER.exec(text);
  if (!match) return undefined;
  const scale = match.groups?.scale;
  const value = Number(withPoint(match[0].replace(/[−]/g, '-').replace(/[^\d.,-]/g, '')));
  return Number.isNaN(value) ? undefined : value * (scale === undefined ? 1 : (SCALES[scale.toLowerCase()] ?? 1));
}

/** Replaces the decimal separator with a point and removes thousands separators. */
function withPoint(digits: string): string {
  const comma = digits.lastIndexOf(',');
  const point = digits.lastIndexOf('.');
  if (comma >= 0 && point >= 0)
    return comma > point ? digits.replace(/\./g, '').replace(',', '.') : digits.replace(/,/g, '');
  if (comma >= 0) return /^-?\d{1,3}(,\d{3})+$/.test(digits) ? digits.replace(/,/g, '') : digits.replace(',', '.');
  return digits.split('.').length > 2 ? digits.replace(/\./g, '') : digits;
}

/** All amounts of money in a text. */
export function moneyIn(text: string): readonly string[] {
  return text.match(new RegExp(MONEY, 'gi')) ?? [];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAME = '(?<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\\.?';
const DATE_FORMS = [
  /(?<year>\d{4})-(?<number>\d{2})-(?<day>\d{2})(?:[T ](?<time>\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?))?/i,
  new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?${MONTH_NAME},?\\s+(?<year>\\d{4})`, 'i'),
  new RegExp(`\\b${MONTH_NAME}\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?<year>\\d{4})`, 'i'),
  /\b(?<day>\d{1,2})\.(?<number>\d{1,2})\.(?<year>\d{4})\b/,
];

export interface FoundDate {
  /** The date as written in the text. */
  readonly text: string;
  /** The date in ISO format, such as `2026-05-04`. */
  readonly iso: string;
  /** Time of day and time zone, if present. */
  readonly time: string | undefined;
}

/** Returns the first unambiguous date in a text. */
export function findDate(text: string): FoundDate | undefined {
  for (const form of DATE_FORMS) {
    const match = form.exec(text);
    const { year = '', number, month = '', day = '', time } = match?.groups ?? {};
    if (!match) continue;
    const monthNumber = number ?? String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1);
    return { text: match[0], iso: `${year}-${monthNumber.padStart(2, '0')}-${day.padStart(2, '0')}`, time };
  }
  return undefined;
}

const YES = /^(?:yes|true|on|enabled|active|checked|available|✓|✔|☑|y)$/i;
const NO = /^(?:no|false|off|disabled|inactive|unchecked|unavailable|none|✗|✕|✘|×|☐|n|-|–|—)$/i;

/** Parses a text that only says yes or no. */
export function parseYesNo(text: string): boolean | undefined {
  if (YES.test(text.trim())) return true;
  return NO.test(text.trim()) ? false : undefined;
}

/** All e-mail addresses in a text. */
export function emailsIn(text: string): readonly string[] {
  return text.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [];
}

const PHONE = /(?:\+\d{1,3}[\s-]?)?(?:\(\d{1,5}\)[\s-]?)?\d{2,5}(?:[\s/-]\d{2,8}){1,4}/g;
const LEAST_PHONE_DIGITS = 6;
/** Matches dates and year ranges: `2026-05-04`, `4/5/2026`, `2009-2011`. */
const DATE_LIKE =
  /^\d{4}[/-]\d{1,2}[/-]\d{1,2}$|^\d{1,2}[/-]\d{1,2}[/-]\d{2,4}$|^(?:19|20)\d{2}\s?[/-]\s?(?:19|20)\d{2}$/;

/** Returns all phone numbers in a text. Dates and year ranges do not count. */
export function phonesIn(text: string): readonly string[] {
  const numbers = text.match(PHONE) ?? [];
  return numbers.filter((number) => !DATE_LIKE.test(number) && number.replace(/\D/g, '').length >= LEAST_PHONE_DIGITS);
}
