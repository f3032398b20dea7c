import { DriverInvalidArgumentError } from '../errors.ts';
import type { ElementCall, Fingerprint, Identification } from '../injected/contract.ts';
import type {
  ActionOutcome,
  ActionTarget,
  FindFrame,
  NeededRest,
  PointerManner,
} from '../page/action/element-action.ts';
import { isEnteredWithin } from '../page/action/methods.ts';
import { runAction } from '../page/action/run-action.ts';
import type { Progress } from '../util/progress.ts';
import type { Action } from './action.ts';
import { type StoredElement, storedStep } from './replay/stored-step.ts';
import type { VariableTable } from './variables.ts';
import { ELEMENT_TIMEOUT_MS, type VerbContext } from './verb-context.ts';

/** A step to carry out: where, and what with placeholders still in place. */
export interface Step {
  readonly target: ActionTarget;
  readonly method: string;
  readonly arguments: readonly string[];
  readonly description: string;
  /** Of a drag, what to drop on, when no selector in `arguments` says it. */
  readonly dropTarget?: ActionTarget | undefined;
  /** Of a drag, by what the element that is dropped on is found again. */
  readonly goal?: StoredElement | undefined;
  /** Where on the element, when a point was named and not an element: whatever lies there gets it. */
  readonly pointer?: PointerManner;
  /** Where to look for an element that its frame does not have. */
  readonly findFrame?: FindFrame;
  /** Nothing is done to an element that is not this one. */
  readonly expected?: Fingerprint;
  /** Nothing is done to an element of another role or name. */
  readonly calledAs?: ElementCall | undefined;
  /** No input is sent before this is done. */
  readonly inputAfter?: Promise<unknown> | undefined;
  /** What of the page has to be at rest afterwards, when that is to be less than usual. */
  readonly rest?: NeededRest | undefined;
  /** Milliseconds to wait for the element to become actionable, when that is to be less than usual. */
  readonly patience?: number;
}

/** A step carried out, as a replayable action and with what it did. */
export interface DoneStep {
  readonly action: Required<Action>;
  readonly outcome: ActionOutcome;
  /** Of a drag, by what the element that was dropped on is found again. */
  readonly goal?: StoredElement;
  /** What was tried before it had failed. */
  readonly isHealed?: true;
  /** Which of several equal elements it was done to, in words of the page. */
  readonly where?: string;
}

/** Carries out one step; this is the only place where values take the place of placeholders. */
export async function performStep(
  progress: Progress,
  context: VerbContext,
  { step, variables }: { readonly step: Step; readonly variables: VariableTable },
): Promise<DoneStep> {
  const { method, description, expected, rest, pointer, patience = ELEMENT_TIMEOUT_MS } = step;
  const url = context.mask(context.page.url());
  const checkDocument = documentCheck(step, variables);
  const action = {
    target: step.target,
    method,
    arguments: step.arguments.map((argument) => variables.expand(argument, 'document')),
    elementTimeout: patience,
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
  context.page.maskInScreenshots(step.arguments.flatMap((argument) => variables.valuesIn(argument)));
  const outcome = await runAction(progress, context.page.target, action);
  const done: DoneStep = {
    outcome,
    ...(step.goal && { goal: step.goal }),
    action: { selector: `xpath=${outcome.xpath}`, description, method, arguments: [...step.arguments] },
  };
  const stored = storedStep(done, context.mask);
  if (stored) context.known.remember(url, done.action.selector, stored);
  return done;
}

/** What judges the document that the step's values go into, when some are bound; keys alone cannot be kept within a document. */
function documentCheck(
  { method, arguments: args }: Step,
  variables: VariableTable,
): ReturnType<VariableTable['documentCheck']> {
  const check = variables.documentCheck(args);
  if (!check || isEnteredWithin(method)) return check;
  throw new DriverInvalidArgumentError(
    `The method ${method} cannot be given a variable that is bound to origins. Enter its value into a field by fill or type.`,
    { argument: 'arguments' },
  );
}

/** What is kept for other runs is told from others alike, too. */
export function identificationFor({ cache }: Pick<VerbContext, 'cache'>): Identification {
  return cache ? 'among' : 'alone';
}

/** The step that an action of the caller's describes. */
export function stepOf(action: Action, context: VerbContext): Step {
  const { selector, method = 'click', arguments: args = [], description } = action;
  return {
    target: { frame: context.page.target.frames.main, element: { selector }, label: selector },
    method,
    arguments: args,
    description,
  };
}
