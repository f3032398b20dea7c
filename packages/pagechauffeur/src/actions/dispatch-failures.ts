import { DriverClickError, type DriverError, DriverLocatorError } from '../errors.ts';
import type { RoleAndName, ElementDescription, ElementTarget } from '../injected/contract.ts';
import { isAbsoluteXPath } from '../snapshot/xpaths.ts';
import type { Progress } from '../util/progress.ts';
import type { ElementAction, ReadyElement } from './element-action.ts';
import { taggedPhrase } from './element-phrase.ts';
import type { Evidence } from './settle-rules.ts';

export type DispatchEvidence = Pick<Evidence, 'reports' | 'isFirstEarly' | 'hasNavigated'>;

/** A way in which input can miss its element. The action then runs again, up to 3 times in all. */
export interface DispatchFailure {
  readonly kind: 'misdirected' | 'lost' | 'replaced' | 'unfocused' | 'locked' | 'late';
  applies(evidence: DispatchEvidence): boolean;
  describe(failed: FailedInput): string;
  /** The error after the last attempt. `phrase` describes the element. */
  error(failed: FailedInput & ErrorFacts): DriverError;
  /** The target of the next attempt. Default: the same target. `found` is the element of the failed attempt. */
  nextElement?(target: AttemptTarget, found: ElementDescription): AttemptTarget;
}

export interface AttemptTarget {
  readonly element: ElementTarget;
  /** The next attempt runs only on an element with this role and name. */
  readonly requiredRoleAndName: RoleAndName | undefined;
}

export interface FailedInput {
  readonly evidence: DispatchEvidence;
  readonly ready: ReadyElement;
  readonly action: ElementAction;
}

interface ErrorFacts {
  readonly phrase: string;
  readonly attempts: number;
  readonly callLog: readonly string[];
}

/** In order of precedence: {@link failureOf} returns the first one that applies. */
export const DISPATCH_FAILURES: readonly DispatchFailure[] = [
  {
    kind: 'misdirected',
    applies: ({ reports }) => reports[0]?.misdirected !== undefined,
    describe: ({ evidence, action }) => `stopped the ${action.method}, which would have hit ${hitOf(evidence)}`,
    error: ({ evidence, ready, action, phrase, callLog }) =>
      new DriverClickError(
        `Cannot ${action.method} ${phrase}: ${hitOf(evidence)} covered it when the input was sent. Close the covering element first, or pass { force: true }.`,
        { selector: ready.target.label, cover: hitOf(evidence), callLog },
      ),
  },
  {
    kind: 'lost',
    // An event can still arrive after an early report.
    applies: ({ reports, isFirstEarly, hasNavigated }) => reports[0]?.lost === true && !isFirstEarly && !hasNavigated,
    describe: ({ ready, action }) =>
      `the browser accepted the ${action.method}, but it did not reach ${ready.element.tag}`,
    error: ({ ready, action, phrase, attempts, callLog }) =>
      new DriverClickError(
        `Cannot ${action.method} ${phrase}: the input was sent ${attempts} times and never reached the page. A frame of another origin may cover it.`,
        { selector: ready.target.label, callLog },
      ),
  },
  {
    kind: 'replaced',
    applies: ({ reports, hasNavigated }) => !hasNavigated && reports.at(-1)?.entry === 'replaced',
    describe: ({ ready }) => `the page replaced ${ready.element.tag} while the text was entered`,
    error: ({ ready, phrase, callLog }) =>
      new DriverLocatorError(
        `Cannot fill ${phrase}: the page replaced the field each time the text was entered. Wait until the page stops re-rendering it, then retry.`,
        { selector: ready.target.label, callLog },
      ),
    nextElement: successorOf,
  },
  {
    kind: 'unfocused',
    applies: ({ reports, hasNavigated }) => !hasNavigated && reports.at(-1)?.entry === 'unfocused',
    describe: ({ ready }) => `another element took the focus from ${ready.element.tag} before the text arrived`,
    error: ({ ready, phrase, attempts, callLog }) =>
      new DriverLocatorError(
        `Cannot fill ${phrase}: another element took the focus (${attempts} attempts). First close the element that takes the focus, such as a dialog or an advertisement.`,
        { selector: ready.target.label, callLog },
      ),
  },
  {
    kind: 'late',
    applies: ({ reports, hasNavigated }) => !hasNavigated && reports.at(-1)?.entry === 'late',
    describe: ({ ready }) => `the text did not reach ${ready.element.tag} in time`,
    error: ({ ready, phrase, attempts, callLog }) =>
      new DriverLocatorError(
        `Cannot fill ${phrase}: the text did not reach it in ${attempts} attempts. The page may be busy; allow more time with { timeout }.`,
        { selector: ready.target.label, callLog },
      ),
  },
  {
    kind: 'locked',
    applies: ({ reports, hasNavigated }) => !hasNavigated && reports.at(-1)?.entry === 'locked',
    describe: ({ ready }) => `the page made ${ready.element.tag} read-only or disabled it before the text arrived`,
    error: ({ ready, phrase, attempts, callLog }) =>
      new DriverLocatorError(
        `Cannot fill ${phrase}: the page made it read-only or disabled it before the text arrived (${attempts} attempts). Complete the step that the page requires first, then fill it again.`,
        { selector: ready.target.label, callLog },
      ),
  },
];

/** Returns the first failure that the evidence shows, else `undefined`. */
export function failureOf(
  evidence: DispatchEvidence,
  failures: readonly DispatchFailure[] = DISPATCH_FAILURES,
): DispatchFailure | undefined {
  return failures.find((failure) => failure.applies(evidence));
}

export async function dispatchError(
  progress: Progress,
  failure: DispatchFailure,
  { attempts, ...failed }: FailedInput & Pick<ErrorFacts, 'attempts'>,
): Promise<DriverError> {
  const { world, element } = failed.ready;
  const described = await progress.race(world.call('describe', { ref: element.ref }));
  const phrase = described ? taggedPhrase(described) : element.tag;
  return failure.error({ ...failed, attempts, phrase, callLog: progress.callLog });
}

function hitOf({ reports }: DispatchEvidence): string {
  return reports[0]?.misdirected ?? '';
}

/**
 * Targets the field that replaced `found`: by the same selector or, for a ref, by its former XPath. An XPath may match
 * another element now, so that element must have the role and name of `found`.
 */
function successorOf({ element, requiredRoleAndName }: AttemptTarget, found: ElementDescription): AttemptTarget {
  if (found.xpath === '') return { element, requiredRoleAndName };
  if ('selector' in element)
    return { element, requiredRoleAndName: isAbsoluteXPath(element.selector) ? found : requiredRoleAndName };
  return { element: { selector: `xpath=${found.xpath}` }, requiredRoleAndName: found };
}
