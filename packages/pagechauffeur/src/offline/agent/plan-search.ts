import type { Clause, FormValue } from './clause.ts';
import { isSupported } from './check-claim.ts';
import { reasonOf, stepFor } from './find-step.ts';
import { planRead } from './plan-reading.ts';
import { planAct } from './plan-act.ts';
import { quoted } from './plan-form.ts';
import { sending } from './send-form.ts';
import { type Plan, type Situation, calls, cannot, OVER } from './situation.ts';
import { callFor, planFor } from './tool-calls.ts';

/** Fills the search field, and submits it unless the next clause does. */
export function planSearch(
  situation: Situation,
  { value, location }: { value: string; location: string | null },
): Plan {
  const where = location === null ? '' : ` in ${location}`;
  const answer = stepFor(situation, `search for ${quoted(value)}${where}`);
  const fallback =
    answer.action?.method === 'fill' ? answer : stepFor(situation, `enter ${quoted(value)} in the search field`);
  if (fallback.action?.method !== 'fill') return openSearch(situation, reasonOf(situation, fallback));
  const call = callFor(fallback.action, situation);
  if (!call) return planFor(fallback.action, situation);
  if (isSubmit(situation.next)) return calls([call]);
  const { ref } = fallback.action;
  if (call.tool === 'fill') return calls([{ tool: 'fill', input: { ref, text: value, submit: true } }]);
  return situation.tools.has('press') ? calls([call, { tool: 'press', input: { keys: 'Enter', ref } }]) : calls([call]);
}

function isSubmit(next: Clause | undefined): boolean {
  if (!next) return false;
  return (
    next.asked.kind === 'submit' ||
    /^(?:(?:press|hit) (?:the )?(?:enter|return)|search|go)\b[^,]*$|^(?:click|press|hit|tap|push)\b.*\b(?:search|find|go|magnif|lens|icon)/i.test(
      next.words,
    )
  );
}

/** Some pages show the search field only after a click. */
function openSearch(situation: Situation, reason: string): Plan {
  const isTried = situation.pastCalls.some(({ tool, outcome }) => tool === 'click' && outcome === 'done');
  const answer = stepFor(situation, 'open the search');
  return isTried || !answer.action
    ? cannot(`there is no search field: ${reason}`)
    : planFor(answer.action, situation, situation.part);
}

/** Handles "find the blue mug": searches for it unless the page already contains it. */
export function planFind(situation: Situation, value: string): Plan {
  const isShown = isSupported(situation.index, { words: value, isNegated: false });
  // "Look up Ada's office" is a question, not a search.
  if (isShown && !situation.next && OF_ANOTHER.test(value)) return planRead(situation, value);
  return isShown ? OVER : planSearch(situation, { value, location: null });
}

/** A property of something: "Ada's office", "the price of the mug". */
const OF_ANOTHER = /['’]s\s|\bof\b/i;

/** Words on submit buttons, in addition to "submit" itself. */
const SENDING = 'submit send save continue next apply create update confirm register signup login';

/**
 * Handles "submit": clicks the submit button of the form that was filled last, else a matching button anywhere. Presses
 * Enter if there is none.
 */
export function planSubmit(situation: Situation): Plan {
  const { clause, index, earlier } = situation;
  const filled = earlier
    .flatMap(({ pastCalls }) => pastCalls)
    .findLast(({ tool, outcome }) => outcome === 'done' && FILLING.has(tool));
  const field = index.elements.find(({ node }) => node.ref === filled?.input['ref']);
  const sent = field && !isFieldGone(situation) ? sending(situation, field, SENDING) : [];
  if (sent.length > 0 && sent[0]?.tool === 'click') return calls(sent);
  const { action } = stepFor(situation, /^send/i.test(clause.words) ? 'send' : 'submit');
  if (action) return planFor(action, situation);
  return sent.length > 0 ? calls(sent) : planAct(situation);
}

const FILLING: ReadonlySet<string> = new Set(['fill', 'type', 'select', 'check', 'upload']);

/** True if the last action navigated. */
function isFieldGone({ earlier }: Situation): boolean {
  const last = earlier.flatMap(({ pastCalls }) => pastCalls).findLast(({ outcome }) => outcome === 'done');
  return last?.effect === 'navigated';
}

const SENDS = /^(?:click|press|hit|tap|push|submit|send|confirm)\b/i;

/** Fills a field, and submits it unless the next clause does. */
export function planSubscribe(situation: Situation, { field, value }: FormValue): Plan {
  const answer = stepFor(situation, `enter ${quoted(value)} in the ${field.replace(/^the /i, '')} field`);
  const call = answer.action?.method === 'fill' && callFor(answer.action, situation);
  if (!call) return cannot(reasonOf(situation, answer));
  if (situation.next && SENDS.test(situation.next.words)) return calls([call]);
  const line = situation.index.elements.find(({ node }) => node.ref === answer.action?.ref);
  return calls([call, ...sending(situation, line, 'apply redeem subscribe signup register join submit send ok')]);
}
