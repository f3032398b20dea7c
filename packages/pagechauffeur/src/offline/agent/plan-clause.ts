import type { Claim, Clause } from './clause.ts';
import { hadNoEffect } from './end-of-task.ts';
import { isSupported } from './check-claim.ts';
import { planAct } from './plan-act.ts';
import {
  planBack,
  planCloseTab,
  planDialog,
  planDownload,
  planHome,
  planNavigate,
  planNewTab,
  planSwitchTab,
} from './plan-browser.ts';
import { planForm } from './plan-form.ts';
import { planLogIn } from './plan-log-in.ts';
import { planCheck, planRead, planWait } from './plan-reading.ts';
import { planFind, planSearch, planSubmit, planSubscribe } from './plan-search.ts';
import { callOf, calls, cannot, OVER, type Plan, type Situation } from './situation.ts';
import { isWithin, type Line } from '../page/line.ts';
import { hasOptions, takesText } from '../page/roles.ts';
import { recordOf } from '../page/surroundings.ts';
import { callFor, inputOf } from './tool-calls.ts';

export function planClause(situation: Situation): Plan {
  const before = situation.earlier.at(-1);
  // A clause after a search needs the results of that search.
  if (before && isSearch(before.clause) && hadNoEffect(before))
    return cannot(`${JSON.stringify(before.clause.words)} changed nothing on the page`);
  return planOne(situation);
}

function isSearch({ asked: { kind } }: Clause): boolean {
  return kind === 'search' || kind === 'find';
}

function planOne(situation: Situation): Plan {
  const { asked } = situation.clause;
  switch (asked.kind) {
    case 'act':
      return planAct(situation);
    case 'submit':
      return planSubmit(situation);
    case 'form':
      return planForm(situation, asked);
    case 'subscribe':
      return planSubscribe(situation, asked);
    case 'logIn':
      return planLogIn(situation, asked.values);
    case 'search':
      return planSearch(situation, asked);
    case 'find':
      return planFind(situation, asked.value);
    case 'read':
      return planRead(situation, asked.question);
    case 'check':
      return planCheck(situation, asked.claim);
    case 'wait':
      return planWait(situation, asked.claim);
    case 'avoid':
      return cannot('it forbids an action, and offline/lexical can only perform actions');
    case 'if':
      return planIf(situation, asked);
    case 'until':
      return planUntil(situation, asked);
    case 'times':
      return planTimes(situation, asked);
    case 'quantity':
      return planQuantity(situation, asked);
    case 'unread':
      return cannot(`offline/lexical does not understand ${JSON.stringify(asked.rest)}`);
    case 'beyond':
      return cannot('offline/lexical runs an instruction once and does not repeat steps for several elements');
    default:
      return planInBrowser(situation, asked);
  }
}

function planInBrowser(situation: Situation, asked: BrowserRequest): Plan {
  switch (asked.kind) {
    case 'navigate':
      return planNavigate(situation, asked);
    case 'home':
      return planHome(situation, asked.isNewTab);
    case 'reload':
      return callOf(situation, 'navigate', { url: situation.page.url });
    case 'back':
      return planBack(situation, asked.to);
    case 'newTab':
      return planNewTab(situation, asked.target);
    case 'switchTab':
      return planSwitchTab(situation, asked.which);
    case 'closeTab':
      return planCloseTab(situation);
    case 'dialog':
      return planDialog(situation, asked);
    case 'download':
      return planDownload(situation, asked);
  }
}

type BrowserRequest = Extract<
  Clause['asked'],
  {
    readonly kind:
      | 'navigate'
      | 'home'
      | 'reload'
      | 'back'
      | 'newTab'
      | 'switchTab'
      | 'closeTab'
      | 'dialog'
      | 'download';
  }
>;

function planIf(situation: Situation, { claim, inner: clause }: { claim: Claim; inner: Clause }): Plan {
  const inner = planClause({ ...situation, clause });
  if (situation.pastCalls.length > 0) return inner;
  if (claim.words === '') return inner.kind === 'cannot' ? OVER : inner;
  const compares = COMPARES.exec(claim.words)?.[0];
  if (compares !== undefined)
    return cannot(`offline/lexical does not compare values, as in ${JSON.stringify(compares)}`);
  return isSupported(situation.index, claim) ? inner : OVER;
}

const COMPARES =
  /\b(?:(?:more|less|fewer|greater|higher|lower|other|cheaper|larger|smaller|later|earlier|older|newer|longer|shorter) than|at (?:least|most)|(?:under|over|above|below|exceeds?) \S*\d)/i;

/** Maximum number of repetitions of an "until" clause. */
const MAX_TURNS = 50;

function planUntil(situation: Situation, { repeated, claim }: { repeated: Clause; claim: Claim }): Plan {
  const { index, pastCalls, part } = situation;
  if (isSupported(index, claim)) return OVER;
  const unmet = `the page ${claim.isNegated ? 'still shows' : 'does not show'} ${claim.words} after ${part} repetitions`;
  if (part >= MAX_TURNS || pastCalls.at(-1)?.effect === 'none-observed') return cannot(unmet);
  const inner = planClause({ ...situation, clause: repeated, pastCalls: [], part: 0 });
  if (inner.kind === 'cannot') return cannot(`${unmet}, and ${inner.reason}`);
  return inner.kind === 'over' ? cannot(unmet) : { ...inner, part: part + 1 };
}

function planTimes(situation: Situation, { repeated, count }: { repeated: Clause; count: number }): Plan {
  const { part } = situation;
  const inner = planClause({ ...situation, clause: repeated, pastCalls: [], part: 0 });
  if (inner.kind === 'cannot')
    return part === 0 ? inner : cannot(`${part} of ${count} repetitions succeeded, then ${inner.reason}`);
  if (inner.kind === 'over') return inner;
  return part + 1 < count ? { ...inner, part: part + 1 } : { kind: 'calls', calls: inner.calls };
}

/** Handles "add two mugs": uses the quantity field next to the button, or repeats the click. */
function planQuantity(situation: Situation, { one, count }: { one: Clause; count: number }): Plan {
  const { part, pastCalls } = situation;
  if (pastCalls.length === 0) {
    // The number may be part of a name, so try the clause literally first.
    const asNamed = planAct(situation);
    if (asNamed.kind === 'calls') return asNamed;
  }
  const plan = planAct({ ...situation, clause: one, pastCalls: [], part: 0 }, one.words);
  if (plan.kind === 'cannot') return part === 0 ? plan : cannot(`${part} of ${count} were added, then ${plan.reason}`);
  if (plan.kind === 'over') return plan;
  const field = part === 0 ? fieldFor(situation, plan) : undefined;
  if (!field) return part + 1 < count ? { ...plan, part: part + 1 } : calls(plan.calls);
  const { ref = '', role, name } = field.node;
  const method = hasOptions(field.node) ? 'select' : 'fill';
  const entry = callFor({ ref, method, arguments: [String(count)], description: name }, situation);
  return entry ? calls([entry, ...plan.calls]) : cannot(`no available tool can fill ${role} ${JSON.stringify(name)}`);
}

const QUANTITY = /\b(?:quantity|qty|amount|how many|number of|count)\b/i;

/**
 * Returns the only quantity field in the same record as the button. If the button is in no record, searches the whole
 * page.
 */
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
