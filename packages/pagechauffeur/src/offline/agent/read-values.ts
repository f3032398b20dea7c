import { isPlaceholder, MaskedText } from '../grammar/masked-text.ts';
import { spellFieldName } from '../text/words.ts';
import type { FormValue } from './clause.ts';

const JOINT = /\s*,\s+(?:and\s+)?|\s+and\s+|\s*;\s*|\s+(?=-\s)/;
const HIDDEN = '[\\uE000-\\uE3FF]';
/** A field and its value, connected by a word. */
const CONNECTED: readonly RegExp[] = [
  /^(?<value>[^:=]+?) (?:as|for) (?:the |my |his |her |their )?(?<field>.+)$/i,
  /^(?<value>[^:=]+) (?:in|into|in to) (?:the |my )?(?<field>.+)$/i,
  /^(?:the |my )?(?<field>[^:=]+?) (?:to|with|is|of) (?<value>.+)$/i,
];
/** A field and its value, separated by punctuation or quotation marks. */
const MARKED: readonly RegExp[] = [
  /^(?<field>[^:=]+?)\s*[:=]\s*(?<value>.+)$/,
  new RegExp(`^(?:the |my )?(?<field>[^\\uE000-\\uE3FF]+?) (?<value>${HIDDEN})$`),
];

/**
 * Parses a list of form values such as "name Ada, e-mail a@b.c". Returns an empty list for other text. If nothing
 * separates a field from its value, `field` is empty and the page decides.
 */
export function formValuesIn(text: string): readonly FormValue[] {
  const masked = new MaskedText(text.replace(/[.;,]+$/, ''));
  const zipped = zippedValues(masked);
  if (zipped.length > 0) return zipped;
  const parts = masked.text.split(JOINT).flatMap((part) => part.trim().replace(/^-\s+/, '') || []);
  const values = parts.map((part) => formValue(part, masked));
  const open = values.filter(({ field }) => field === '');
  const isList = open.some(({ value }) => !/\s/.test(value));
  const isConnected = parts.some((part) => CONNECTED.some((pattern) => pattern.test(part)));
  return isList || (open.length > 0 && isConnected) ? [] : values;
}

function formValue(part: string, masked: MaskedText): FormValue {
  for (const pattern of [...CONNECTED, ...MARKED]) {
    const { field, value } = pattern.exec(part)?.groups ?? {};
    if (field !== undefined && value !== undefined)
      return { field: masked.restore(field).trim(), value: masked.reveal(value).trim() };
  }
  const value = masked.reveal(part).trim();
  return isPlaceholder(value) ? { field: spellFieldName(value.slice(1, -1)), value } : { field: '', value };
}

const ZIPPED = /^(?<values>.+?) (?:in|into|as|for)(?: the)? (?<fields>[^,]+ and [^,]+?)(?: fields?| box(?:es)?)?$/i;

/** Handles "Ada and Lovelace as first and last name". Needs as many values as fields. */
function zippedValues(masked: MaskedText): readonly FormValue[] {
  const { values = '', fields = '' } = ZIPPED.exec(masked.text)?.groups ?? {};
  const [left, right] = [values.split(JOINT), fields.split(JOINT)];
  if (left.length < 2 || left.length !== right.length) return [];
  if (right.some((field) => /\s(?:as|in|into|for)\s/.test(` ${field} `))) return [];
  const noun = /\s.+$/.exec(right.at(-1)?.trim() ?? '')?.[0] ?? '';
  return left.map((value, index) => {
    const field = (right[index] ?? '').trim().replace(/^the /i, '');
    return { field: /\s/.test(field) ? field : `${field}${noun}`, value: masked.reveal(value).trim() };
  });
}

const CREDENTIAL_JOINT = /\s*,\s+(?:and\s+)?|\s+and\s+|\s+(?:with|using)\s+|\s+\/\s+/i;
const CREDENTIAL =
  /^(?:the |my |your |an? )?(?<field>(?:user ?name|user|login(?: name)?|e-?mail(?: address)?|pass ?(?:word|phrase|code)?|pin|(?:one-time |security )?code|account(?: name| number)?|(?:customer |member )?(?:number|id)|name))(?:\s*[:=]\s*|\s+is\s+|\s+)(?<value>\S.*)$/i;
const SECRET = /pass|pwd|pin\b|secret/i;

/**
 * Parses credentials such as "with %user% and %password%" or "as ada with password x". Returns `null` if there is no
 * value, as in "with Google", and an empty list if it is unclear which value is which.
 */
export function credentialsIn(text: string): readonly FormValue[] | null {
  const masked = new MaskedText(text);
  const isAs = /^as\s/i.test(masked.text);
  const parts = masked.text.replace(/^(?:with|as|using|by)\s+/i, '').split(CREDENTIAL_JOINT);
  const isNamed = isAs || parts.length > 1 || /[\uE000-\uE3FF@]/.test(masked.text) || CREDENTIAL.test(parts[0] ?? '');
  if (!isNamed) return null;
  const values = parts.map((part, index) => credential(part.trim(), index, masked));
  return values.every((value) => value !== null) ? values : [];
}

function credential(part: string, index: number, masked: MaskedText): FormValue | null {
  const { field, value = part } = CREDENTIAL.exec(part)?.groups ?? {};
  if (/\s/.test(value.trim())) return null;
  const plain = masked.reveal(value);
  const name = field ?? (isPlaceholder(plain) ? spellFieldName(plain.slice(1, -1)) : '');
  if (SECRET.test(name)) return { field: 'password', value: plain };
  if (field !== undefined || (name !== '' && !USER.test(name))) return { field: name, value: plain };
  const byPlace = ['user name', 'password'][index];
  return byPlace === undefined ? null : { field: byPlace, value: plain };
}

const USER = /user|mail|login|name|account/i;
