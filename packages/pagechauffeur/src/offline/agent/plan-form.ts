import { bestProposal, findStep, type FoundStep } from '../answer/answer-act.ts';
import { proposeReading } from '../answer/propose-reading.ts';
import { rolesNamed } from '../grammar/kind-words.ts';
import { readInstruction } from '../grammar/read-instruction.ts';
import { Evidence } from '../page/evidence.ts';
import { isStopWord } from '../text/word-classes.ts';
import { wordsOf } from '../text/words.ts';
import type { FormValue } from './clause.ts';
import { reasonOf } from './find-step.ts';
import { type Plan, type PlannedCall, type Situation, calls, cannot } from './situation.ts';
import { callFor } from './tool-calls.ts';

const AT_ONCE = 5;
/** Maximum number of words in a field name that is followed directly by its value. */
const LONGEST_NAME = 4;

interface Form {
  readonly values: readonly FormValue[];
  /** The section that contains the fields, if the clause names one. */
  readonly location: string | null;
}

/** Plans the next fields of a form, several per step. A list that must be opened gets a separate step. */
export function planForm(situation: Situation, { values, location }: Form): Plan {
  const planned: PlannedCall[] = [];
  for (const value of values.slice(situation.part, situation.part + AT_ONCE)) {
    const answer = stepForValue(situation, value, location);
    if (!answer.action) return cannot(`${describeValue(value)}: ${reasonOf(situation, answer)}`);
    if (answer.twoStep)
      return planned.length > 0 ? partDone(situation, values, planned) : openList(situation, answer.action.ref, value);
    const call = callFor(answer.action, situation);
    if (!call) return cannot(`no available tool can fill ${answer.action.description}`);
    planned.push(call);
  }
  return partDone(situation, values, planned);
}

function partDone({ part }: Situation, values: readonly FormValue[], planned: readonly PlannedCall[]): Plan {
  const done = part + planned.length;
  return calls(planned, done < values.length ? done : undefined);
}

function openList({ pastCalls, part, tools }: Situation, ref: string, value: FormValue): Plan {
  const isOpened = pastCalls.some(
    ({ tool, input, outcome }) => tool === 'click' && input['ref'] === ref && outcome === 'done',
  );
  if (isOpened) return cannot(`${describeValue(value)}: the list was opened, but has no such option`);
  return tools.has('click')
    ? calls([{ tool: 'click', input: { ref } }], part)
    : cannot(`${describeValue(value)}: the required tool click is excluded`);
}

function describeValue({ field, value }: FormValue): string {
  return field === '' ? JSON.stringify(value) : `${field}: ${JSON.stringify(value)}`;
}

/**
 * Finds the step that enters a value. Without a field name, tries every split of the words into name and value and
 * takes the best.
 */
function stepForValue(situation: Situation, { field, value }: FormValue, location: string | null): FoundStep {
  if (field !== '') return stepForField(situation, { field, value, location });
  const words = value.split(/\s+/);
  const cuts = Array.from({ length: Math.min(LONGEST_NAME, words.length - 1) }, (_, index) => index + 1);
  const pairs = cuts.map((count) => ({
    field: words.slice(0, count).join(' '),
    value: words.slice(count).join(' '),
    location,
  }));
  const scores = pairs.map((pair) => scoreOf(situation, settingOf(pair)));
  const best = scores.indexOf(Math.max(...scores));
  return stepForField(situation, pairs[best] ?? { field: value, value: '', location });
}

interface LocatedValue extends FormValue {
  readonly location: string | null;
}

function scoreOf({ ranker, variables }: Situation, sentence: string): number {
  const proposals = readInstruction(sentence, variables).flatMap((reading) => proposeReading(ranker, reading));
  const best = bestProposal(proposals);
  return best?.action ? best.score : 0;
}

const ON = /^(?:yes|on|true|checked|ticked)$/i;
const OFF = /^(?:no|off|false|unchecked|unticked)$/i;

function stepForField(situation: Situation, placed: LocatedValue): FoundStep {
  const { ranker, variables } = situation;
  const answerTo = (sentence: string): FoundStep => findStep(ranker, readInstruction(sentence, variables));
  const { field, value } = placed;
  const answer = answerTo(settingOf(placed));
  if (isCalledSo(situation, answer, field)) return answer;
  // The field name may consist of stop words, as in "About me".
  const byName = answerTo(settingOf({ ...placed, field: quoted(field) }));
  if (isCalledSo(situation, byName, field)) return byName;
  if (ON.test(value) || OFF.test(value)) return answerTo(`${ON.test(value) ? 'tick' : 'untick'} ${field}`);
  if (!answer.action) return answer;
  const words = wordsOf(field).map(({ text }) => text);
  return { ...answer, action: null, candidates: [answer.action.ref], mismatch: { kind: 'unmatched-words', words } };
}

/** True if the name of the element or its group contains every word of the field name. */
function isCalledSo({ index }: Situation, { action }: FoundStep, field: string): boolean {
  const line = action && index.elements.find(({ node }) => node.ref === action.ref);
  if (!line) return false;
  const evidence = new Evidence(index);
  const words = wordsOf(field).filter(({ text, stem }) => !isStopWord(text) && rolesNamed(stem) === undefined);
  return words.every(({ stem }) => {
    const word = { stem, isName: false };
    return evidence.isOwn(line, word) || evidence.isUnder(line, word);
  });
}

const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ['“', '”'],
  ['`', '`'],
  ['«', '»'],
];

function settingOf({ field, value, location }: LocatedValue): string {
  const where = location === null ? '' : ` in ${location}`;
  return `set the ${field.replace(/^the /i, '')}${where} to ${quoted(value)}`;
}

/** Encloses a value in quotation marks that do not occur in it. Returns placeholders unchanged. */
export function quoted(value: string): string {
  const [open, close] = QUOTES.find(([left, right]) => !value.includes(left) && !value.includes(right)) ?? ['', ''];
  return /^%\w+%$/.test(value) ? value : `${open}${value}${close}`;
}
