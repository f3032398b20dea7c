import { placeholderOf } from '../../util/placeholders.ts';
import type { HealIntent, ModelVariable } from '../../model/model-client.ts';
import { spellFieldName, wordsOf } from '../text/words.ts';
import { readFirstClause } from './first-clause.ts';
import { MaskedText } from './masked-text.ts';
import { isPlainValue } from './plain-value.ts';
import { readPhrase, withSurroundings, withoutHead, type Phrase } from './phrase.ts';
import type { Intent, Reading } from './reading.ts';
import { RULES, type Rule } from './rules.ts';

/** A location before the verb: "in the billing address, …". */
const LOCATION_FIRST =
  /^(?:in|on|under|within|inside|from|at|for)\s+(?<place>(?:the|my|our|your)\s.+?|[^,]+?(?=,))(?:,\s*|\s+(?=(?:click|press|type|enter|fill|choose|select|pick|set|check|tick|open|delete|remove|add|edit)\b))(?<rest>.+)$/i;
/** Separators in "File > Export > PDF". The last item is the target, the others are its context. */
const PATH = /\s*(?:->|[>›→»])\s*(?=\S)/;

/** Returns every interpretation that the grammar allows. The page decides between them. */
export function readInstruction(instruction: string, variables: readonly ModelVariable[]): readonly Reading[] {
  const masked = new MaskedText(instruction, new Set(variables.map(({ name }) => name)));
  const { clause: first, rest } = readFirstClause(masked.text);
  const { clause, location } = withoutLocation(first);
  const around = location === '' ? null : readPhrase(location, masked);
  const unread = wordsOf(masked.reveal(rest)).map(({ text }) => text);
  return RULES.flatMap((rule) => readingsBy(rule, clause, masked)).map((reading) => {
    const target = isWritten(reading.intent) ? withVariableName(reading, variables) : reading.target;
    return {
      ...reading,
      target: around ? withSurroundings(target, around) : target,
      unread: [...reading.unread, ...unread],
    };
  });
}

function withoutLocation(clause: string): { clause: string; location: string } {
  const steps = clause.split(PATH);
  if (steps.length > 1) return { clause: steps.at(-1) ?? clause, location: steps.slice(0, -1).join(' ') };
  const match = LOCATION_FIRST.exec(clause);
  return { clause: match?.groups?.rest ?? clause, location: match?.groups?.place ?? '' };
}

function readingsBy({ pattern, intents, prior }: Rule, clause: string, masked: MaskedText): readonly Reading[] {
  const groups = pattern.exec(clause)?.groups;
  if (!groups) return [];
  const { target = '', value, object } = groups;
  const phrase = readPhrase(target, masked);
  if (value !== undefined && target !== '' && isEmptyPhrase(phrase)) return [];
  const hidden = value === undefined ? null : trimValue(value);
  return intents.map((intent) => ({
    intent,
    target: HEADED.has(intent) ? phrase : withoutHead(phrase),
    value: hidden === null ? null : masked.reveal(hidden),
    object: object === undefined && intent !== 'choose' ? null : readPhrase(object ?? value ?? '', masked),
    unread:
      hidden !== null &&
      isWritten(intent) &&
      !isPlainValue(hidden, { hasField: target !== '', isSearch: intent === 'search' })
        ? [masked.restore(hidden)]
        : [],
    prior,
  }));
}

/** Intents whose target may be named by a verb, as in "delete the file" and "hover over Save". */
const HEADED: ReadonlySet<Intent> = new Set(['use', 'option', 'doubleClick', 'rightClick', 'hover', 'focus', 'tap']);

function isWritten(intent: Intent): boolean {
  return intent === 'write' || intent === 'search';
}

function isEmptyPhrase({ words, roles, ordinal }: Phrase): boolean {
  return !roles && !ordinal && words.every(({ weight }) => weight === 0);
}

function trimValue(value: string): string {
  return value.replace(/^(?:the (?:text|value|word|words|number)|value)\s+/i, '').trim();
}

/** For "type %password%", which names no field, uses the name and description of the variable instead. */
function withVariableName({ target, value }: Reading, variables: readonly ModelVariable[]): Phrase {
  const variable = variables.find(({ name }) => value === placeholderOf(name));
  if (target.words.length > 0 || !variable) return target;
  const { name, description = '' } = variable;
  return readPhrase(`${spellFieldName(name)} ${description}`, new MaskedText(''));
}

const INTENT_BY_METHOD: ReadonlyMap<string, Intent> = new Map(
  Object.entries({
    click: 'use',
    doubleClick: 'doubleClick',
    rightClick: 'rightClick',
    hover: 'hover',
    focus: 'focus',
    tap: 'tap',
    fill: 'write',
    type: 'write',
    press: 'press',
    check: 'check',
    uncheck: 'uncheck',
    select: 'choose',
    upload: 'upload',
  }),
);

/** Returns readings that find the element of a failed action by its description. Empty for an unsupported method. */
export function healingReadings({ method, arguments: args, description }: HealIntent): readonly Reading[] {
  const value = args[0] ?? null;
  const intent = INTENT_BY_METHOD.get(method);
  if (!intent) return [];
  const masked = new MaskedText(description);
  const object = value === null ? null : readPhrase(value, new MaskedText(''));
  return [{ intent, target: withoutHead(readPhrase(masked.text, masked)), value, object, unread: [], prior: 1 }];
}
