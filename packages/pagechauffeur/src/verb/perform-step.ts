import { shorten } from '../util/truncate.ts';
import { DriverInvalidArgumentError } from '../errors.ts';
import type { RoleAndName, Fingerprint, Identification } from '../injected/contract.ts';
import type {
  ActionOutcome,
  ActionTarget,
  FindFrame,
  RequiredSettle,
  PointerOptions,
} from '../actions/element-action.ts';
import { canonicalMethod, isEnteredWithin } from '../actions/methods.ts';
import { runAction } from '../actions/run-action.ts';
import type { Progress } from '../util/progress.ts';
import type { Action } from '../replay/action.ts';
import { type StoredElement, storedStep } from '../replay/stored-step.ts';
import type { VariableTable } from '../policy/variables.ts';
import { guardTransfers, type TransferInput } from './guard-transfers.ts';
import { ELEMENT_TIMEOUT_MS, type VerbContext } from './verb-context.ts';

/** An element action whose arguments still contain placeholders. */
export interface Step {
  readonly target: ActionTarget;
  readonly method: string;
  readonly arguments: readonly string[];
  readonly description: string;
  /** Drop target, if it has already been found. Default: the element at the selector in `arguments`. */
  readonly dropTarget?: ActionTarget | undefined;
  /** The drop target, to be stored with the step. */
  readonly goal?: StoredElement | undefined;
  /** Set for an action at a point. The topmost element at the point receives the event. */
  readonly pointer?: PointerOptions;
  /** Called if the frame of the target or drop target has no match. */
  readonly findFrame?: FindFrame;
  /** If set, the element must match this fingerprint. */
  readonly expected?: Fingerprint;
  /** If set, the element must have this role and name. */
  readonly requiredRoleAndName?: RoleAndName | undefined;
  /** Resolves when input may be sent. */
  readonly inputAfter?: Promise<unknown> | undefined;
  /** How far the page must settle afterwards. Default: fully. */
  readonly requiredSettle?: RequiredSettle | undefined;
  /** Time in ms for the element to become actionable. Default: 5000. */
  readonly timeout?: number;
}

/** A completed step in replayable form, with its outcome. */
export interface DoneStep {
  readonly action: Required<Action>;
  readonly outcome: ActionOutcome;
  /** The drop target, to be stored with the step. */
  readonly goal?: StoredElement;
  /** True if a model chose this step after another one had failed. */
  readonly isHealed?: true;
  /** Distinguishes the element from equal ones, or names its frame. */
  readonly where?: string;
}

/** Runs a step. Replaces placeholders with values, so that callers need not handle the values. */
export async function performStep(
  progress: Progress,
  context: VerbContext,
  { step, variables }: { readonly step: Step; readonly variables: VariableTable },
): Promise<DoneStep> {
  const { method, description, expected, requiredSettle, pointer, timeout = ELEMENT_TIMEOUT_MS } = step;
  const url = context.mask(context.page.url());
  const checkDocument = documentCheck(step, variables);
  const action = {
    target: step.target,
    method,
    arguments: step.arguments.map((argument) => variables.expand(argument, 'document')),
    elementTimeout: timeout,
    expected,
    requiredRoleAndName: step.requiredRoleAndName,
    checkDocument,
    ...(expected === undefined && { identification: fingerprintDetail(context) }),
    requiredSettle,
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

function inputOf(method: string, [first = '']: readonly string[]): TransferInput {
  const canonical = canonicalMethod(method);
  if (canonical === 'press') return { keys: [first] };
  return { isTransfer: canonical === 'middleClick' || canonical === 'dragAndDrop' };
}

/**
 * Returns the check for variables that are bound to origins. Throws for methods whose arguments the injected script cannot enter by
 * itself, because the page could redirect keys to another document.
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

/** With a cache, a fingerprint must later distinguish its element from similar ones, so it compares it with them. */
export function fingerprintDetail({ cache }: Pick<VerbContext, 'cache'>): Identification {
  return cache ? 'among' : 'alone';
}

export function stepOf(action: Action, context: VerbContext): Step {
  const { selector, method = 'click', arguments: args = [], description } = action;
  return {
    target: { frame: context.page.target.frames.main, element: { selector }, label: shorten(selector) },
    method,
    arguments: args,
    description,
  };
}
