const CURRENCY_SIGN = '[$€£¥₹₽₩]|\\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|kr|zł)\\b';
const AMOUNT = "-?\\d+(?:[.,'\\u00a0\\u202f]\\d+)*";
/**
 * An amount of money. A currency sign directly before another number is part of that amount: in "920 $49", the amount
 * is $49.
 */
const MONEY = new RegExp(`(?:${CURRENCY_SIGN})\\s?${AMOUNT}|${AMOUNT}\\s?(?:${CURRENCY_SIGN})(?!\\d)`, 'i');
const NUMBER = new RegExp(`[-−]?\\d+(?:[.,'\\u00a0\\u202f]\\d+)*(?:\\s?(?<scale>[kKmM])\\b)?`);
const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };

/** Parses the first number, such as "1,299.00" or "1.5k". */
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
  readonly text: string;
  /** ISO 8601, such as `2026-05-04`. */
  readonly iso: string;
  /** Time of day with an optional time zone, such as `09:30:00Z`. Only ISO timestamps have one. */
  readonly time: string | undefined;
}

/** Returns the first date, preferably an ISO date. Ignores `4/5/2026`, in which day and month are ambiguous. */
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

/** Returns `undefined` for anything but a plain yes or no. */
export function parseYesNo(text: string): boolean | undefined {
  if (YES.test(text.trim())) return true;
  return NO.test(text.trim()) ? false : undefined;
}

export function emailsIn(text: string): readonly string[] {
  return text.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [];
}

const PHONE = /(?:\+\d{1,3}[\s-]?)?(?:\(\d{1,5}\)[\s-]?)?\d{2,5}(?:[\s/-]\d{2,8}){1,4}/g;
const MIN_PHONE_DIGITS = 6;
/** Dates and year ranges that look like phone numbers: `2026-05-04`, `4/5/2026`, `2009-2011`. */
const DATE_LIKE =
  /^\d{4}[/-]\d{1,2}[/-]\d{1,2}$|^\d{1,2}[/-]\d{1,2}[/-]\d{2,4}$|^(?:19|20)\d{2}\s?[/-]\s?(?:19|20)\d{2}$/;

/** Excludes dates and year ranges. */
export function phonesIn(text: string): readonly string[] {
  const numbers = text.match(PHONE) ?? [];
  return numbers.filter((number) => !DATE_LIKE.test(number) && number.replace(/\D/g, '').length >= MIN_PHONE_DIGITS);
}
