import { answerAct, bestProposal } from '../answer/answer-act.ts';
import { proposeReading } from '../answer/propose-reading.ts';
import { readInstruction } from '../grammar/read-instruction.ts';
import type { ActAnswer } from '../../model-client.ts';
import type { FormValue } from './clause.ts';
import { reasonOf } from './plan-act.ts';
import { type Plan, type PlannedCall, type Situation, calls, cannot } from './situation.ts';
import { callFor } from './tool-calls.ts';

/** Fields that one step fills. */
const AT_ONCE = 5;
/** Words that the name of a field has at most where nothing stands between it and its value. */
const LONGEST_NAME = 4;

/** Plans the fields of a form, several in one step; a list that must be opened first is a step of its own. */
export function planForm(situation: Situation, values: readonly FormValue[]): Plan {
  const planned: PlannedCall[] = [];
  for (const value of values.slice(situation.part, situation.part + AT_ONCE)) {
    const answer = stepForValue(situation, value);
    if (!answer.action) return cannot(`${told(value)}: ${reasonOf(situation, answer)}`);
    if (answer.twoStep)
      return planned.length > 0 ? partDone(situation, values, planned) : openList(situation, answer.action.ref, value);
    const call = callFor(answer.action, situation);
    if (!call) return cannot(`no tool that may be used fills ${answer.action.description}`);
    planned.push(call);
  }
  return partDone(situation, values, planned);
}

function partDone({ part }: Situation, values: readonly FormValue[], planned: readonly PlannedCall[]): Plan {
  const done = part + planned.length;
  return calls(planned, done < values.length ? done : undefined);
}

function openList({ deeds, part, tools }: Situation, ref: string, value: FormValue): Plan {
  const isOpened = deeds.some(
    ({ tool, input, outcome }) => tool === 'click' && input['ref'] === ref && outcome === 'done',
  );
  if (isOpened) return cannot(`${told(value)}: the list was opened, and shows no such choice`);
  return tools.has('click')
    ? calls([{ tool: 'click', input: { ref } }], part)
    : cannot(`${told(value)}: it takes the tool click, which is not to be used`);
}

function told({ field, value }: FormValue): string {
  return field === '' ? JSON.stringify(value) : `${field}: ${JSON.stringify(value)}`;
}

/** How a value gets into its field. */
function stepForValue(situation: Situation, { field, value }: FormValue): ActAnswer {
  if (field !== '') return stepForField(situation, field, value);
  const words = value.split(/\s+/);
  let best: { score: number; answer: ActAnswer } | undefined;
  for (let count = 1; count < words.length && count <= LONGEST_NAME; count += 1) {
    const [name, rest] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
    const score = scoreOf(situation, settingOf(name, rest));
    if (score > (best?.score ?? 0)) best = { score, answer: stepForField(situation, name, rest) };
  }
  return best?.answer ?? stepForField(situation, words[0] ?? '', words.slice(1).join(' '));
}

function scoreOf({ ranker, variables }: Situation, sentence: string): number {
  const proposals = readInstruction(sentence, variables).flatMap((reading) => proposeReading(ranker, reading));
  const best = bestProposal(proposals);
  return best?.action ? best.score : 0;
}

const ON = /^(?:yes|on|true|checked|ticked)$/i;
const OFF = /^(?:no|off|false|unchecked|unticked)$/i;

function stepForField({ ranker, variables }: Situation, field: string, value: string): ActAnswer {
  const answerTo = (sentence: string): ActAnswer => answerAct(ranker, readInstruction(sentence, variables), sentence);
  const answer = answerTo(settingOf(field, value));
  if (answer.action || !(ON.test(value) || OFF.test(value))) return answer;
  return answerTo(`${ON.test(value) ? 'tick' : 'untick'} ${field}`);
}

const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ['“', '”'],
  ['`', '`'],
  ['«', '»'],
];

function settingOf(field: string, value: string): string {
  return `set the ${field.replace(/^the /i, '')} to ${quoted(value)}`;
}

/** A value in quotation marks that it does not have itself; a placeholder stays as it is. */
export function quoted(value: string): string {
  const [open, close] = QUOTES.find(([left, right]) => !value.includes(left) && !value.includes(right)) ?? ['', ''];
  return /^%\w+%$/.test(value) ? value : `${open}${value}${close}`;
}
