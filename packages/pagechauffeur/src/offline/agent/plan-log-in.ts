import { bestProposal } from '../answer/answer-act.ts';
import { proposeReading } from '../answer/propose-reading.ts';
import { readInstruction } from '../grammar/read-instruction.ts';
import { stemsOf } from '../text/words.ts';
import type { Line } from '../page/line.ts';
import { takesText } from '../page/roles.ts';
import type { FormValue } from './clause.ts';
import { stepFor } from './find-step.ts';
import { quoted } from './plan-form.ts';
import { sending } from './send-form.ts';
import { type Plan, type Situation, calls, cannot, OVER } from './situation.ts';
import { planFor } from './tool-calls.ts';

/** Common labels of the user name field, tried in this order. */
const USER_NAMES = ['user name', 'e-mail address', 'login', 'account name', 'customer number'];
/** Fields with these words are not part of a login form. */
const OTHER_FIELDS: ReadonlySet<string> = new Set(stemsOf('search newsletter subscribe'));
const SENDING = 'login signin continue next submit go enter ok';

/**
 * Plans a login: opens the form, fills it (on several pages if needed), submits it and checks that the password field
 * is gone.
 */
export function planLogIn(situation: Situation, values: readonly FormValue[]): Plan {
  const { pastCalls } = situation;
  if (values.length === 0) return cannot('it is unclear which value is the user name and which the password');
  const pending = values.filter(
    ({ value }) => !pastCalls.some((pastCall) => pastCall.outcome === 'done' && pastCall.input['text'] === value),
  );
  if (pending.length === 0) return planAfterFilling(situation);
  const fields = fieldsFor(situation, pending);
  if (fields.length === 0) return openForm(situation, pending);
  const tool = ['fill', 'type'].find((name) => situation.tools.has(name));
  if (!tool) return cannot('the required tool fill is excluded');
  const filled = fields.map(({ line, value }) => ({ tool, input: { ref: line.node.ref ?? '', text: value } }));
  return calls([...filled, ...sending(situation, fields.at(-1)?.line, SENDING)], situation.part);
}

/** Submits the filled form. After that, checks that the password field is gone. */
function planAfterFilling(situation: Situation): Plan {
  const { pastCalls, index } = situation;
  const secret = secretField(situation);
  const last = pastCalls.findLast(({ outcome }) => outcome === 'done');
  if (last?.input['text'] !== undefined) {
    const sent = sending(situation, secret ?? undefined, SENDING);
    return sent.length > 0
      ? calls(sent, situation.part)
      : cannot('the form is filled in, but no way to submit it was found');
  }
  if (!secret) return OVER;
  const alert = index.lines.find(({ node }) => node.role === 'alert');
  const said = alert ? `; the page says ${JSON.stringify(index.textOf(alert))}` : '';
  return cannot(`the form was submitted, but the page still shows a password field${said}`);
}

interface Filling {
  readonly line: Line;
  readonly value: string;
}

function fieldsFor(situation: Situation, values: readonly FormValue[]): readonly Filling[] {
  const secret = secretField(situation);
  return values.flatMap(({ field, value }) => {
    const line = field === 'password' ? secret : fieldNamed(situation, field, secret);
    return line ? [{ line, value }] : [];
  });
}

function secretField(situation: Situation): Line | null {
  return situation.index.elements.find((line) => takesText(line.node) && isSecret(line)) ?? null;
}

function isSecret({ node: { name, placeholder = '', description = '' } }: Line): boolean {
  return /pass ?(?:word|phrase|code)|\bpin\b/i.test(`${name} ${placeholder} ${description}`);
}

/** Returns the field with this name, else the field before the password field. The user name prefers the latter. */
function fieldNamed(situation: Situation, field: string, secret: Line | null): Line | null {
  const { ranker, variables, index } = situation;
  const isUser = field === 'user name';
  const fields = index.elements.filter((line) => line !== secret && takesText(line.node) && !isOther(line));
  const before = secret && fields.findLast((line) => line.index < secret.index);
  for (const name of isUser && before ? [] : isUser ? USER_NAMES : [field]) {
    const sentence = `enter ${quoted('x')} in the ${name} field`;
    const best = bestProposal(
      readInstruction(sentence, variables).flatMap((reading) => proposeReading(ranker, reading)),
    );
    const line = fields.find(({ node }) => node.ref === best?.action?.ref);
    if (line) return line;
  }
  return before ?? null;
}

function isOther({ words, node }: Line): boolean {
  return node.role === 'searchbox' || [...words.keys()].some((word) => OTHER_FIELDS.has(word));
}

/** Clicks a "log in" element once. The form may be hidden or on another page. */
function openForm(situation: Situation, [first]: readonly FormValue[]): Plan {
  const isTried = situation.pastCalls.some(({ tool, outcome }) => tool === 'click' && outcome === 'done');
  const answer = stepFor(situation, 'log in');
  if (isTried || !answer.action) return cannot(`the page has no field for the ${first?.field ?? 'user name'}`);
  return planFor(answer.action, situation, situation.part);
}
