import { readInternals } from '../cdp/element-internals.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { DriverLocatorError } from '../errors.ts';
import type { ElementDescription, InjectedProgram } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import { textsOf } from './effect-note.ts';
import type { DoneToElement, ReadyElement } from './element-action.ts';
import { taggedPhrase } from './element-phrase.ts';
import { settleDocument } from './settle-page.ts';

/** Time in ms for the page to switch a control. Some pages need a request or a timer for that. */
const SWITCH_TIMEOUT_MS = 2000;

const RADIO_STAYS_ON =
  'a radio button can only be unchecked by checking another one in its group. Check that other radio button instead.';
const CHANGE_PREVENTED =
  'the page prevents the change. First do what the page asks for, or use click() if the resulting state does not matter.';

const STATE_UNKNOWN =
  'the page does not say whether it is on: it has no aria-checked. Look at the page first, and use click() to switch it.';

/** Selecting one of these often closes the list, so the element may report no state or be gone. */
const MAY_LACK_STATE: ReadonlySet<string> = new Set(['option', 'treeitem']);

type InjectedAnswer = Awaited<ReturnType<InjectedProgram['read']>>;

interface SwitchedControl extends DoneToElement {
  readonly wanted: boolean;
}

/** Throws if the control is still in its old state 2 s after the click. */
export async function confirmChecked(progress: Progress, control: SwitchedControl): Promise<void> {
  const last = control.reports.at(-1);
  if (last === undefined || last.checked === control.wanted) return;
  try {
    if (await isKeptByPage(progress, control)) throw await keptError(progress, control);
  } catch (error) {
    // A click that navigated had its effect.
    if (!(error instanceof DocumentGoneError)) throw error;
  }
}

async function isKeptByPage(progress: Progress, { ready, wanted }: SwitchedControl): Promise<boolean> {
  const described = await describe(progress, ready);
  if (described && MAY_LACK_STATE.has(described.role) && !(await exposesState(progress, ready))) return false;
  // The report of the click lacks states that only the accessibility tree has.
  if ((await isChecked(progress, ready)) !== !wanted) return false;
  const deadline = performance.now() + SWITCH_TIMEOUT_MS;
  // Setting `checked` from a script fires no event, so read the state each time the page settles.
  for (let left = SWITCH_TIMEOUT_MS; left > 0; left = deadline - performance.now()) {
    await settleDocument(progress, ready.world, {
      owner: ready.turn.owner,
      timeout: left,
      eventTimeout: 0,
      isLate: true,
    });
    if ((await isChecked(progress, ready)) !== !wanted) return false;
  }
  return true;
}

/** For a custom box that must be turned off, but does not say whether it is on. */
export function unknownStateError(progress: Progress, { element, target }: ReadyElement): DriverLocatorError {
  return new DriverLocatorError(`Cannot uncheck ${taggedPhrase(element)}: ${STATE_UNKNOWN}`, {
    selector: target.label,
    callLog: progress.callLog,
  });
}

async function keptError(progress: Progress, control: SwitchedControl): Promise<DriverLocatorError> {
  const { ready, wanted, notes } = control;
  const known = (await describe(progress, ready)) ?? ready.element;
  const options = { selector: ready.target.label, callLog: progress.callLog, hasActed: true };
  if (await hidesState(progress, ready))
    return new DriverLocatorError(`Clicked ${taggedPhrase(known)}, but ${STATE_UNKNOWN}`, options);
  const reason = known.role === 'radio' && !wanted ? RADIO_STAYS_ON : CHANGE_PREVENTED;
  const seen = notes.length > 0 ? ` After the click: ${textsOf(notes).join('; ')}.` : '';
  return new DriverLocatorError(
    `Clicked ${taggedPhrase(known)}, but it is still ${wanted ? 'off' : 'on'}: ${reason}${seen}`,
    options,
  );
}

function describe(progress: Progress, { world, element: { ref } }: ReadyElement): Promise<ElementDescription | null> {
  return progress.race(world.call('describe', { ref }));
}

/**
 * Reads the checked state. Finds a re-rendered control by role and name, if exactly one element matches. `undefined` if
 * the state is unknown.
 */
async function isChecked(progress: Progress, { world, element }: ReadyElement): Promise<unknown> {
  const state = await readChecked(progress, world, element.ref);
  if (state !== undefined) return state;
  const { role, name } = element;
  const { candidates } = await progress.race(world.call('findAgain', [{ role, name }]));
  const [successor, ...others] = candidates[0] ?? [];
  return successor && others.length === 0 ? readChecked(progress, world, successor.ref) : undefined;
}

async function readChecked(progress: Progress, world: World, ref: number): Promise<unknown> {
  const ask = (): Promise<InjectedAnswer> => progress.race(world.call('read', { ref }, 'isChecked'));
  const deadline = performance.now() + SWITCH_TIMEOUT_MS;
  let answer = await ask();
  // One call may not get through all custom elements of the page.
  while (answer.kind === 'unexplored' && performance.now() < deadline) {
    await progress.race(readInternals(world));
    answer = await ask();
  }
  return answer.kind === 'value' ? answer.value : undefined;
}

async function hidesState(progress: Progress, { world, element: { ref } }: ReadyElement): Promise<boolean> {
  const answer = await progress.race(world.call('read', { ref }, 'hidesCheckedState'));
  return answer.kind === 'value' && answer.value === true;
}

async function exposesState(progress: Progress, { world, element: { ref } }: ReadyElement): Promise<boolean> {
  const facts = ['attribute:aria-selected', 'attribute:aria-checked'] as const;
  const answers = await progress.race(Promise.all(facts.map((fact) => world.call('read', { ref }, fact))));
  return answers.some((answer) => answer.kind === 'value' && answer.value !== null);
}
