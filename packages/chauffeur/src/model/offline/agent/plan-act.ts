import { answerAct } from '../answer/answer-act.ts';
import { describeNode } from '../answer/proposal.ts';
import { MaskedText, withoutHidden } from '../grammar/masked-text.ts';
import { findOrdinal, spellOrdinals } from '../grammar/ordinal.ts';
import { readInstruction } from '../grammar/read-instruction.ts';
import { recordOf } from '../page/surroundings.ts';
import { Ranker } from '../rank/ranker.ts';
import type { ActAnswer, ProposedAction } from '../../model-client.ts';
import { isStopWord, isWeakVerb } from '../text/word-classes.ts';
import { wordsOf } from '../text/words.ts';
import { recordMeant, spelledOut } from './pronouns.ts';
import { type Plan, type PlannedCall, type Situation, cannot } from './situation.ts';
import { planFor } from './tool-calls.ts';

/** Plans what is one step on the page, or the same done to several things, as `act` understands it. */
export function planAct(situation: Situation, words: string = situation.clause.words): Plan {
  const { part } = situation;
  const things = thingsOf(words);
  const whole = part === 0 || things.length < 2 ? stepFor(situation, words) : undefined;
  if (whole?.action && (things.length < 2 || isNamedInFull(situation, whole, words)))
    return carryOut(situation, { words, answer: whole });
  const thing = things.length > 1 ? things[part] : undefined;
  const step = thing === undefined ? undefined : stepFor(situation, thing);
  if (thing === undefined || !step?.action) return cannot(reasonOf(situation, step ?? whole));
  const isLast = part + 1 === things.length;
  return carryOut(situation, { words: thing, answer: step, part: isLast ? undefined : part + 1 });
}

/** Whether an element, or what is around it, has every word that is said: "Terms and conditions" is one thing. */
function isNamedInFull({ index, ranker }: Situation, { action }: ActAnswer, words: string): boolean {
  const line = index.elements.find(({ node }) => node.ref === action?.ref);
  const telling = wordsOf(words)
    .slice(1)
    .filter(({ text }) => !isStopWord(text) && !isWeakVerb(text));
  return line !== undefined && telling.every(({ stem }) => ranker.ownOrAround(stem, line) >= BORNE_OUT);
}

/** The step that words of the instruction ask for on the page as it is. */
export function stepFor(situation: Situation, words: string): ActAnswer {
  const { ranker, variables } = situation;
  const near = recordMeant(words, situation);
  const variants = spelledOut(words, situation);
  const rankers = near ? [new Ranker(near), ranker] : [ranker];
  let first: ActAnswer | undefined;
  for (const variant of variants)
    for (const each of rankers) {
      const answer = answerAct(each, readInstruction(variant, variables), variant);
      if (answer.action) return answer;
      if (each === ranker) first ??= answer;
    }
  return first ?? NOTHING;
}

const NOTHING: ActAnswer = { action: null, twoStep: false, reason: '', candidates: [] };

interface Found {
  readonly words: string;
  readonly answer: ActAnswer;
  readonly part?: number | undefined;
}

/** A list is opened first, and only once; then what is in it is chosen. */
function carryOut(situation: Situation, { words, answer: { action, twoStep }, part }: Found): Plan {
  if (!action) return cannot('nothing fits');
  const ignored = wordsIgnored(situation, action, words);
  if (ignored.length > 0)
    return cannot(`${action.description} came nearest, and nothing there says ${ignored.join(', ')}`);
  if (!twoStep) return withDialog(situation, planFor(action, situation, part));
  const isOpened = situation.deeds.some(
    ({ tool, input, outcome }) => tool === 'click' && input['ref'] === action.ref && outcome === 'done',
  );
  return isOpened
    ? cannot(`${action.description} was opened, and shows no such choice`)
    : planFor(action, situation, situation.part);
}

/** How surely a word must stand on an element or around it. */
const BORNE_OUT = 0.3;
const COUNTS = /^(?:two|three|four|five|six|seven|eight|nine|ten|\d+)$/;

/**
 * What an instruction says in so many words, and a step takes no notice of: names, numbers and values of variables. Of several clauses
 * each is taken at its word, for nobody looks at what came of it before the next.
 */
function wordsIgnored(
  { index, ranker }: Situation,
  { ref, method, arguments: args }: ProposedAction,
  words: string,
): readonly string[] {
  const given = args.join(' ');
  const placeholders = (words.match(/%\w+%/g) ?? []).filter((name) => !given.includes(name));
  if (method !== 'click' && method !== 'doubleClick') return placeholders;
  const line = index.elements.find(({ node }) => node.ref === ref);
  const said = new Set(wordsOf(given).map(({ stem }) => stem));
  const masked = new MaskedText(words);
  const names = wordsOf(withoutHidden(spellOrdinals(masked.text)).replace(/^\S+/, '')).filter(
    ({ text, isCapitalized }) => (isCapitalized && !isStopWord(text)) || COUNTS.test(text),
  );
  const missing = names.filter(({ stem }) => line && !said.has(stem) && ranker.ownOrAround(stem, line) < BORNE_OUT);
  const ordinal = findOrdinal(withoutHidden(masked.text))?.word;
  return [...placeholders, ...missing.flatMap(({ text }) => (text === ordinal ? [] : JSON.stringify(text)))];
}

/** How a dialog of the browser is answered is said before it opens. */
function withDialog({ next, tools, deeds }: Situation, plan: Plan): Plan {
  if (plan.kind !== 'calls' || next?.asked.kind !== 'dialog' || !tools.has('dialog')) return plan;
  if (deeds.some(({ tool }) => tool === 'dialog')) return plan;
  const { accept, text } = next.asked;
  const answer: PlannedCall = { tool: 'dialog', input: { accept, ...(text !== null && { text }) } };
  return { ...plan, calls: [answer, ...plan.calls] };
}

/** Why no step was found: what came nearest, or what tells the equal ones apart. */
export function reasonOf({ index }: Pick<Situation, 'index'>, answer: ActAnswer | undefined): string {
  if (!answer) return 'nothing on the page fits';
  const lines = answer.candidates.flatMap((ref) => index.elements.find(({ node }) => node.ref === ref) ?? []);
  const named = lines.map((line) => {
    const record = recordOf(line);
    const place = record && record !== line ? ` in ${JSON.stringify(index.textOf(record))}` : '';
    return `${describeNode(line.node)}${place}`;
  });
  if (answer.reason === 'ambiguous') return `${named.length} elements fit it alike: ${named.join('; ')}`;
  const counted = /of such elements there (?:is|are) \d+/.exec(answer.reason)?.[0];
  if (counted) return counted.replace(/^of/, 'of');
  return named.length === 0
    ? 'no element of the page shares a word with it'
    : `nothing on the page fits; the nearest: ${named.join('; ')}`;
}

const VERB =
  /^(?<verb>(?:double[- ]?click|right[- ]?click|click|press|tap|hit|open|choose|select|pick|tick|check|untick|uncheck|enable|disable|turn on|turn off|expand|collapse|delete|remove|hover over|add|put|upload|attach|close|accept|show|hide)(?: on)?)\s+(?<rest>.+)$/i;
const JOINT = /\s*,\s+(?:and\s+)?|\s+and\s+/;
const PLACE = /\s+(?:in|into|on|onto|from|to|of|for|as|under|at)\s+.+$/;

/** "tick the terms and the newsletter": the same verb for each of the things. */
function thingsOf(words: string): readonly string[] {
  const masked = new MaskedText(words);
  const { verb = '', rest = '' } = VERB.exec(masked.text)?.groups ?? {};
  const things = rest.split(JOINT).filter((thing) => thing.trim() !== '');
  if (things.length < 2) return [words];
  const place = PLACE.exec(things.at(-1) ?? '')?.[0] ?? '';
  return things.map((thing) => masked.restore(`${verb} ${thing}${PLACE.test(thing) ? '' : place}`));
}
