import { MaskedText } from '../grammar/masked-text.ts';
import { isStopWord, isWeakVerb } from '../text/word-classes.ts';
import { wordsOf } from '../text/words.ts';
import type { FoundStep } from '../answer/answer-act.ts';
import { reasonOf, stepSpelledOut } from './find-step.ts';
import { planRanked, type Rank, rankIn } from './plan-ranked.ts';
import { spelledOut } from './pronouns.ts';
import { type Plan, type PlannedCall, type Situation, calls, cannot } from './situation.ts';
import { inputOf, planFor } from './tool-calls.ts';
import { MIN_SUPPORT, wordsIgnored } from './words-ignored.ts';

/** Plans one action on the page, or the same action on several elements. */
export function planAct(situation: Situation, words: string = situation.clause.words): Plan {
  const rank = rankIn(words);
  const plan = planAsNamed(situation, words);
  if (!rank || (plan.kind === 'calls' && isCalledSo(situation, plan, rank.matchedText))) return plan;
  return planEachRanked(situation, words, rank);
}

/** Handles "the cheapest mug and the dearest tray" as one item per step. */
function planEachRanked(situation: Situation, words: string, rank: Rank): Plan {
  const things = splitObjects(words);
  if (things.length < 2 && rankIn(rank.words))
    return cannot('offline/lexical supports one ranking per clause, such as "the cheapest"');
  if (things.length < 2) return withDialog(situation, planRanked(situation, rank));
  const { part } = situation;
  const plan = planAct({ ...situation, part: 0 }, things[part] ?? '');
  if (plan.kind !== 'calls') return plan;
  return part + 1 < things.length ? { ...plan, part: part + 1 } : calls(plan.calls);
}

/** True if the element's name or the input contains the words, as in an option "Cheapest first". */
function isCalledSo({ index }: Situation, plan: Extract<Plan, { kind: 'calls' }>, words: string): boolean {
  const input = inputOf(plan.calls[0]);
  const node = index.elements.find((line) => line.node.ref === input['ref'])?.node;
  return `${node?.name ?? ''} ${JSON.stringify(input)}`.toLowerCase().includes(words.toLowerCase());
}

function planAsNamed(situation: Situation, words: string): Plan {
  let first: Plan | undefined;
  for (const variant of spelledOut(words, situation)) {
    const plan = planVariant(situation, variant, words);
    if (plan.kind !== 'cannot') return plan;
    first ??= plan;
  }
  return first ?? cannot('the clause is empty');
}

function planVariant(situation: Situation, variant: string, words: string): Plan {
  const { part } = situation;
  const things = splitObjects(variant);
  const whole = part === 0 || things.length < 2 ? stepSpelledOut(situation, variant, words) : undefined;
  if (whole?.action && (things.length < 2 || isNamedInFull(situation, whole, variant)))
    return runTask(situation, { words: variant, answer: whole });
  const object = things.length > 1 ? things[part] : undefined;
  const step = object === undefined ? undefined : stepSpelledOut(situation, object, words);
  if (object === undefined || !step?.action) return cannot(reasonOf(situation, step ?? whole));
  const isLast = part + 1 === things.length;
  return runTask(situation, { words: object, answer: step, part: isLast ? undefined : part + 1 });
}

/** True if the element and nearby text contain every word. "Terms and conditions" is then one element, not two. */
function isNamedInFull({ index, ranker }: Situation, { action }: FoundStep, words: string): boolean {
  const line = index.elements.find(({ node }) => node.ref === action?.ref);
  const distinctive = wordsOf(words)
    .slice(1)
    .filter(({ text }) => !isStopWord(text) && !isWeakVerb(text));
  return line !== undefined && distinctive.every(({ stem }) => ranker.ownOrAround(stem, line) >= MIN_SUPPORT);
}

interface Found {
  readonly words: string;
  readonly answer: FoundStep;
  readonly part?: number | undefined;
}

/** Plans the step that was found. A list is opened at most once before one of its options is selected. */
function runTask(situation: Situation, { words, answer: { action, twoStep }, part }: Found): Plan {
  if (!action) return cannot('nothing matches');
  const ignored = wordsIgnored(situation, action, words);
  if (ignored.length > 0)
    return cannot(`the closest match is ${action.description}, but that step would ignore ${ignored.join(', ')}`);
  if (!twoStep) return withDialog(situation, planFor(action, situation, part));
  const isOpened = situation.pastCalls.some(
    ({ tool, input, outcome }) => tool === 'click' && input['ref'] === action.ref && outcome === 'done',
  );
  return isOpened
    ? cannot(`${action.description} was opened, but has no such option`)
    : planFor(action, situation, situation.part);
}

/** If the next clause answers a browser dialog, registers that answer before the call that opens the dialog. */
function withDialog({ next, tools, pastCalls }: Situation, plan: Plan): Plan {
  if (plan.kind !== 'calls' || next?.asked.kind !== 'dialog' || !tools.has('dialog')) return plan;
  if (pastCalls.some(({ tool }) => tool === 'dialog')) return plan;
  const { accept, text } = next.asked;
  const answer: PlannedCall = { tool: 'dialog', input: { accept, ...(text !== null && { text }) } };
  return { ...plan, calls: [answer, ...plan.calls] };
}

const VERB =
  /^(?<verb>(?:double[- ]?click|right[- ]?click|click|press|tap|hit|open|choose|select|pick|tick|check|untick|uncheck|enable|disable|turn on|turn off|expand|collapse|delete|remove|hover over|add|put|upload|attach|close|accept|show|hide)(?: on)?)\s+(?<rest>.+)$/i;
const JOINT = /\s*,\s+(?:and\s+)?|\s+and\s+/;
const LOCATION = /\s+(?:in|into|on|onto|from|to|of|for|as|under|at)\s+.+$/;

/** Splits "tick the terms and the newsletter" into one phrase per element, each with the verb. */
function splitObjects(words: string): readonly string[] {
  const masked = new MaskedText(words);
  const { verb = '', rest = '' } = VERB.exec(masked.text)?.groups ?? {};
  const things = rest.split(JOINT).filter((object) => object.trim() !== '');
  if (things.length < 2) return [words];
  const location = LOCATION.exec(things.at(-1) ?? '')?.[0] ?? '';
  return things.map((object) => masked.restore(`${verb} ${object}${LOCATION.test(object) ? '' : location}`));
}
