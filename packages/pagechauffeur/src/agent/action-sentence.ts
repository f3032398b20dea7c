import { wordsOf } from '../tools/outcome-words.ts';
import type { ToolOutcome } from '../tools/tool-outcome.ts';
import { isRecord } from '../util/is-record.ts';
import { truncate } from '../util/truncate.ts';
import type { CompletedCall } from './run-calls.ts';

/** Characters of a line of the log, and of what a tool was given in it. */
const LONGEST_LINE = 240;
const LONGEST_GIVEN = 60;

/** A call as a line of the log tells it: `fill "Ada" into textbox "Name". The page changed.` What was read stays out of it. */
export function actionSentence({ call: { tool, input }, outcome, isSkipped }: CompletedCall): string {
  const { isError, effect, step, summary, text } = outcome;
  const given = step?.outcome.element.isPassword ? '' : givenWords(tool, input);
  if (isSkipped) return truncate(`${tool} was not done: ${text.replace(/^Not done: /, '')}`, LONGEST_LINE);
  if (isError) return truncate(`${tool}${given} ${failureText(outcome)}`, LONGEST_LINE);
  if (effect === undefined) return truncate(`${tool}${given}: ${(summary ?? text).replace(/:$/, '')}`, LONGEST_LINE);
  const preposition = PREPOSITIONS[tool];
  const said = wordsOf(outcome).replaceAll('Done: ', '');
  const whole = preposition && given ? said.replace(`${tool} on `, `${tool}${given} ${preposition} `) : said;
  return truncate(whole, LONGEST_LINE);
}

/** An end that is questioned is no fault. */
function failureText({ text, quoted = text, objection }: ToolOutcome): string {
  return objection === undefined ? `did not work: ${quoted}` : `was not accepted: ${objection}`;
}

/** What stands between what is given to an element and the element. */
const PREPOSITIONS: Readonly<Record<string, string>> = { fill: 'into', type: 'into', select: 'in', upload: 'to' };
/** What of a tool's input says what it was to do, where the outcome does not. */
const GIVEN: Readonly<Record<string, string>> = {
  fill: 'text',
  type: 'text',
  select: 'options',
  upload: 'paths',
  find: 'words',
  extract: 'instruction',
};

function givenWords(tool: string, input: unknown): string {
  const given = isRecord(input) ? input[GIVEN[tool] ?? ''] : undefined;
  const texts = (Array.isArray(given) ? given : [given]).filter((text) => typeof text === 'string');
  return texts
    .map((text, index) => `${index > 0 ? ',' : ''} ${JSON.stringify(truncate(text, LONGEST_GIVEN))}`)
    .join('');
}
