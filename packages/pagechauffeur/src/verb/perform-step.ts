import { DriverInvalidArgumentError } from '../errors.ts';
import type { ElementCall, Fingerprint, Identification } from '../injected/contract.ts';
import type { ActionOutcome, ActionTarget, FindFrame, NeededRest, PointerManner } from '../actions/element-action.ts';
import { canonicalMethod, isEnteredWithin } from '../actions/methods.ts';
import { runAction } from '../actions/run-action.ts';
import type { Progress } from '../util/progress.ts';
import type { Action } from '../replay/action.ts';
import { type StoredElement, storedStep } from '../replay/stored-step.ts';
import type { VariableTable } from '../policy/variables.ts';
import { guardTransfers, type TransferInput } from './guard-transfers.ts';
import { ELEMENT_TIMEOUT_MS, type VerbContext } from './verb-context.ts';

/** A step to run. Its arguments still contain placeholders. */
export interface Step {
  readonly target: ActionTarget;
  readonly method: string;
  readonly arguments: readonly string[];
  readonly description: string;
  /** Drop target of a drag that has no selector in `arguments`. */
  readonly dropTarget?: ActionTarget | undefined;
  /** Fingerprint and path of the drop target. */
  readonly goal?: StoredElement | undefined;
  /**
   * Point on the element. Set if the caller passed a point instead of an element: any element there receives the event.
   */
  readonly pointer?: PointerManner;
  /** Finds the element in another frame if its own frame does not have it. */
  readonly findFrame?: FindFrame;
  /** The step runs only on an element that matches this fingerprint. */
  readonly expected?: Fingerprint;
  /** The step runs only on an element with this role and name. */
  readonly calledAs?: ElementCall | undefined;
  /** Input is not sent before this promise resolves. */
  readonly inputAfter?: Promise<unknown> | undefined;
  /** How far the page must settle afterwards. Set to require less than the default. */
  readonly rest?: NeededRest | undefined;
  /** Time in ms for the element to become actionable. Set to wait less than the default. */
  readonly timeout?: number;
}

/** A completed step as a replayable action, with its effect. */
export interface DoneStep {
  readonly action: Required<Action>;
  readonly outcome: ActionOutcome;
  /** Fingerprint and path of the drop target. */
  readonly goal?: StoredElement;
  /** True if an earlier attempt failed. */
  readonly isHealed?: true;
  /** Text that distinguishes the element from equal ones, or that names its frame. */
  readonly where?: string;
}

/** Runs one step. Placeholders in its arguments are replaced with values only here. */
export async function performStep(
  progress: Progress,
  context: VerbContext,
  { step, variables }: { readonly step: Step; readonly variables: VariableTable },
): Promise<DoneStep> {
  const { method, description, expected, rest, pointer, timeout = ELEMENT_TIMEOUT_MS } = step;
  const url = context.mask(context.page.url());
  const checkDocument = documentCheck(step, variables);
  const action = {
    target: step.target,
    method,
    arguments: step.arguments.map((argument) => variables.expand(argument, 'document')),
    elementTimeout: timeout,
    expected,
    calledAs: step.calledAs,
    checkDocument,
    ...(expected === undefined && { identification: identificationFor(context) }),
    rest,
    inputAfter: step.inputAfter,
    settleTimeout: context.domSettleTimeout,
    ...(step.dropTarget && { dropTarget: step.dropTarget }),
    ...(pointer && { pointer, force: true }),
    findFrame: step.findFrame,
  };
  const { target } = context.page;
  const input = inputOf(method, step.arguments);
  const outcome = await guardTransfers({ progress, context, variables }, input, () =>
    runAction(progress, target, action),
  );
  const done: DoneStep = {
    outcome,
    ...(step.goal && { goal: step.goal }),
    action: { selector: `xpath=${outcome.xpath}`, description, method, arguments: [...step.arguments] },
  };
  const stored = storedStep(done, context.mask);
  if (stored) context.known.remember(url, done.action.selector, stored);
  return done;
}

/** Input of a method that can move text to another document. */
function inputOf(method: string, [first = '']: readonly string[]): TransferInput {
  const canonical = canonicalMethod(method);
  if (canonical === 'press') return { keys: [first] };
  return { isTransfer: canonical === 'middleClick' || canonical === 'dragAndDrop' };
}

/**
 * Returns the check of the document that receives bound values. Rejects methods that only send keys, because keys can
 * reach another document.
 */
function documentCheck(
  { method, arguments: args }: Step,
  variables: VariableTable,
): ReturnType<VariableTable['documentCheck']> {
  const check = variables.documentCheck(args);
  if (!check || isEnteredWithin(method)) return check;
  throw new DriverInvalidArgumentError(
    `The method ${method} cannot use a variable that is bound to origins. Enter the value with fill or type.`,
    { argument: 'arguments' },
  );
}

/** How to fingerprint the element. With a cache, the fingerprint includes how the element differs from similar ones. */
export function identificationFor({ cache }: Pick<VerbContext, 'cache'>): Identification {
  return cache ? 'among' : 'alone';
}

/** Converts an action of the caller to a step. */
export function stepOf(action: Action, context: VerbContext): Step {
  const { selector, method = 'click', arguments: args = [], description } = action;
  return {
    target: { frame: context.page.target.frames.main, element: { selector }, label: selector },
    method,
    arguments: args,
    description,
  };
}
