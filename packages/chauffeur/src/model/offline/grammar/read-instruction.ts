import type { ModelVariable } from '../../model-client.ts';
import { spellFieldName } from '../text/words.ts';
import { readHealingQuestion, type HealingQuestion } from './healing-question.ts';
import { firstClause } from './first-clause.ts';
import { MaskedText, isPlaceholder } from './masked-text.ts';
import { readPhrase, withSurroundings, withoutHead, type Phrase } from './phrase.ts';
import type { Intent, Reading } from './reading.ts';
import { RULES, type Rule } from './rules.ts';

/** "in the billing address, …" before the verb. */
const PLACE_FIRST =
  /^(?:in|on|under|within|inside|from|at|for)\s+(?<place>(?:the|my|our|your)\s.+?)(?:,\s*|\s+(?=(?:click|press|type|enter|fill|choose|select|pick|set|check|tick|open|delete|remove|add|edit)\b))(?<rest>.+)$/i;
/** "File > Export > PDF": the last step, seen among the earlier ones. */
const PATH = /\s+(?:>|›|→|->)\s+/;

/** All the ways in which an instruction can be understood. */
export function readInstruction(instruction: string, variables: readonly ModelVariable[]): readonly Reading[] {
  const question = readHealingQuestion(instruction);
  if (question) return [healingReading(question)];
  const masked = new MaskedText(instruction);
  const { clause, place } = withoutPlace(firstClause(masked.text));
  const around = place === '' ? null : readPhrase(place, masked);
  return RULES.flatMap((rule) => readingsBy(rule, clause, masked)).map((reading) => {
    const target = reading.intent === 'write' ? withVariableName(reading, variables) : reading.target;
    return { ...reading, target: around ? withSurroundings(target, around) : target };
  });
}

function healingReading({ intent, target, value }: HealingQuestion): Reading {
  const masked = new MaskedText(target);
  const object = value === null ? null : readPhrase(value, new MaskedText(''));
  return { intent, target: withoutHead(readPhrase(masked.text, masked)), value, object, prior: 1 };
}

function withoutPlace(clause: string): { clause: string; place: string } {
  const steps = clause.split(PATH);
  if (steps.length > 1) return { clause: steps.at(-1) ?? clause, place: steps.slice(0, -1).join(' ') };
  const match = PLACE_FIRST.exec(clause);
  return { clause: match?.groups?.rest ?? clause, place: match?.groups?.place ?? '' };
}

function readingsBy({ pattern, intents, prior }: Rule, clause: string, masked: MaskedText): readonly Reading[] {
  const groups = pattern.exec(clause)?.groups;
  if (!groups) return [];
  const { target = '', value, object } = groups;
  const phrase = readPhrase(target, masked);
  if (value !== undefined && target !== '' && saysNothing(phrase)) return [];
  return intents.map((intent) => ({
    intent,
    target: HEADED.has(intent) ? phrase : withoutHead(phrase),
    value: value === undefined ? null : trimValue(masked.reveal(value)),
    object: object === undefined && intent !== 'choose' ? null : readPhrase(object ?? value ?? '', masked),
    prior,
  }));
}

/** Intents whose verb may be the name of the control, or after whose verb a name may be a verb: "hover over Save". */
const HEADED: ReadonlySet<Intent> = new Set(['use', 'option', 'doubleClick', 'rightClick', 'hover', 'focus', 'tap']);

function saysNothing({ words, roles, ordinal }: Phrase): boolean {
  return !roles && !ordinal && words.every(({ weight }) => weight === 0);
}

function trimValue(value: string): string {
  return value.replace(/^(?:the (?:text|value|word|words|number)|value)\s+/i, '').trim();
}

/** "type %password%" names no field; the variable does. */
function withVariableName({ target, value }: Reading, variables: readonly ModelVariable[]): Phrase {
  if (target.words.length > 0 || value === null || !isPlaceholder(value)) return target;
  const name = value.slice(1, -1);
  const description = variables.find((variable) => variable.name === name)?.description ?? '';
  return readPhrase(`${spellFieldName(name)} ${description}`, new MaskedText(''));
}
