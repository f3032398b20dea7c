import type { Line } from '../page/line.ts';
import { isWithin } from '../page/line.ts';
import { hasOptions, takesText } from '../page/roles.ts';
import { recordOf } from '../page/surroundings.ts';
import type { Clause } from './clause.ts';
import { planAct } from './plan-act.ts';
import { calls, cannot, type Plan, type Situation } from './situation.ts';
import { callFor, inputOf } from './tool-calls.ts';

/** Plans to add several of one item: with the quantity field next to the button, or by repeating the click. */
export function planQuantity(situation: Situation, { one, count }: { one: Clause; count: number }): Plan {
  const { part, deeds } = situation;
  if (deeds.length === 0) {
    // The number may be part of a name.
    const asNamed = planAct(situation);
    if (asNamed.kind === 'calls') return asNamed;
  }
  const plan = planAct({ ...situation, clause: one, deeds: [], part: 0 }, one.words);
  if (plan.kind === 'cannot') return part === 0 ? plan : cannot(`after ${part} of ${count}: ${plan.reason}`);
  if (plan.kind === 'over') return plan;
  const field = part === 0 ? fieldFor(situation, plan) : undefined;
  if (!field) return part + 1 < count ? { ...plan, part: part + 1 } : calls(plan.calls);
  const { ref = '', role, name } = field.node;
  const method = hasOptions(field.node) ? 'select' : 'fill';
  const entry = callFor({ ref, method, arguments: [String(count)], description: name }, situation);
  return entry ? calls([entry, ...plan.calls]) : cannot(`it takes a tool to fill in ${role} ${JSON.stringify(name)}`);
}

const QUANTITY = /\b(?:quantity|qty|amount|how many|number of|count)\b/i;

/** The quantity field in the same record as the button. For a button outside of records, the only quantity field on the page. */
function fieldFor({ index }: Situation, { calls: [first] }: Extract<Plan, { kind: 'calls' }>): Line | undefined {
  const button = index.elements.find(({ node }) => node.ref === inputOf(first)['ref']);
  const record = button && recordOf(button);
  const fields = index.elements.filter(
    (line) =>
      (takesText(line.node) || hasOptions(line.node)) &&
      QUANTITY.test(line.node.name) &&
      (!record || isWithin(line, record)),
  );
  return fields.length === 1 ? fields[0] : undefined;
}
