import type { Clause } from './clause.ts';
import { isBorneOut } from './judge-claim.ts';
import { planAct, reasonOf, stepFor } from './plan-act.ts';
import { quoted } from './plan-form.ts';
import { type Plan, type Situation, calls, cannot, OVER } from './situation.ts';
import { callFor, planFor } from './tool-calls.ts';

/** Plans a search: the words go into the search field, and are sent unless the next clause does that. */
export function planSearch(situation: Situation, { value, place }: { value: string; place: string | null }): Plan {
  const where = place === null ? '' : ` in ${place}`;
  const answer = stepFor(situation, `search for ${quoted(value)}${where}`);
  const fallback =
    answer.action?.method === 'fill' ? answer : stepFor(situation, `enter ${quoted(value)} in the search field`);
  if (fallback.action?.method !== 'fill') return openSearch(situation, reasonOf(situation, fallback));
  const call = callFor(fallback.action, situation);
  if (!call) return planFor(fallback.action, situation);
  if (sends(situation.next)) return calls([call]);
  const { ref } = fallback.action;
  if (call.tool === 'fill') return calls([{ tool: 'fill', input: { ref, text: value, submit: true } }]);
  return situation.tools.has('press') ? calls([call, { tool: 'press', input: { keys: 'Enter', ref } }]) : calls([call]);
}

function sends(next: Clause | undefined): boolean {
  if (!next) return false;
  return (
    next.asked.kind === 'submit' ||
    /^(?:(?:press|hit) (?:the )?(?:enter|return)|search|go)\b[^,]*$|^(?:click|press|hit|tap|push)\b.*\b(?:search|find|go|magnif|lens|icon)/i.test(
      next.words,
    )
  );
}

/** Some pages show their search field only when it is asked for. */
function openSearch(situation: Situation, reason: string): Plan {
  const isTried = situation.deeds.some(({ tool, outcome }) => tool === 'click' && outcome === 'done');
  const answer = stepFor(situation, 'open the search');
  return isTried || !answer.action
    ? cannot(`there is no search field: ${reason}`)
    : planFor(answer.action, situation, situation.part);
}

/** "find the blue mug": nothing is left to do where it is on the page; else it is searched for. */
export function planFind(situation: Situation, value: string): Plan {
  const isThere = isBorneOut(situation.index, { words: value, isNegated: false });
  return isThere ? OVER : planSearch(situation, { value, place: null });
}

/** Plans "submit": the button that says so, or the Enter key in the field that was filled in last. */
export function planSubmit(situation: Situation): Plan {
  const { clause, index, earlier, tools } = situation;
  const asked = planAct(situation);
  if (asked.kind === 'calls') return asked;
  const verb = /^send/i.test(clause.words) ? 'send' : 'submit';
  for (const words of [verb, `click the ${verb} button`, 'save', 'continue']) {
    const { action } = stepFor(situation, words);
    if (action) return planFor(action, situation);
  }
  const filled = earlier
    .flatMap(({ deeds }) => deeds)
    .findLast(({ input, outcome }) => outcome === 'done' && input['text'] !== undefined);
  const field = index.elements.find(({ node }) => node.ref === filled?.input['ref']);
  return field && tools.has('press')
    ? calls([{ tool: 'press', input: { keys: 'Enter', ref: field.node.ref } }])
    : asked;
}
