import { effectSentence } from '../act/act-result.ts';
import { DriverElementNotFoundError } from '../errors.ts';
import { textsOf } from '../actions/effect-note.ts';
import type { ActionTarget, PointerOptions } from '../actions/element-action.ts';
import { elementPhrase } from '../actions/element-phrase.ts';
import type { Sink } from '../policy/variable-sinks.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { type DoneStep, performStep, type Step } from '../verb/perform-step.ts';
import type { NamedElement, ToolContext } from './tool-context.ts';
import { failed, openedBy, type ToolOutcome } from './tool-outcome.ts';

export interface ElementCall {
  readonly method: string;
  /** Replaces the method in reports, for example `press Enter on`. */
  readonly verbPhrase?: string;
  /** Text after the element in reports, for example ` to button "Trash"`. */
  readonly destination?: string;
  readonly arguments?: readonly string[];
  /** Drop target of a drag. */
  readonly dropTarget?: ActionTarget;
  /** Set if the model named a point. The topmost element at that point receives the event. */
  readonly pointer?: PointerOptions;
}

/** The label is the model's name for the element, usually its ref. The phrase describes it for people. */
export interface ActedElement {
  readonly target: ActionTarget;
  readonly label: string;
  readonly phrase?: string;
}

/** Runs an action on the element with this ref. If the page has rerendered the element, uses its replacement. */
export async function actOnElement(context: ToolContext, ref: string, call: ElementCall): Promise<ToolOutcome> {
  const element = context.element(ref);
  if (!element) return unknownRef(ref);
  const acted = { target: element.target, label: ref, phrase: phraseOf(element) };
  try {
    return await actOn(context, acted, call);
  } catch (error) {
    const successor = error instanceof DriverElementNotFoundError ? await successorOf(context, element) : undefined;
    if (!successor) throw error;
    return actOn(context, { ...acted, target: { ...successor, label: ref } }, call);
  }
}

/**
 * Returns the only element with the same role and name. It must have been the only one before, too, and be in the same
 * document.
 */
async function successorOf(
  { progress, page, shown }: ToolContext,
  { target, role, name }: NamedElement,
): Promise<ActionTarget | undefined> {
  if (name === '' || !shown) return undefined;
  const now = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  const [before, after] = [shown, now].map(({ refs }) =>
    [...refs.values()].filter((place) => place.role === role && place.name === name),
  );
  const [place] = after ?? [];
  if (before?.length !== 1 || after?.length !== 1 || !place || place.world !== target.world) return undefined;
  return { frame: place.frame, world: place.world, element: { ref: place.ref }, label: name };
}

/** The model saw the element on a settled page, so waiting longer for an obstacle to disappear is unlikely to help. */
const ACTIONABLE_TIMEOUT_MS = 1500;

/** Runs an action and reports its effect. */
export async function actOn(
  context: ToolContext,
  { target, label, phrase = label }: ActedElement,
  call: ElementCall,
): Promise<ToolOutcome> {
  const { method, verbPhrase = method, arguments: args = [], dropTarget, pointer } = call;
  const refusal = missingVariables(context, args);
  if (refusal) return refusal;
  const step: Step = {
    target,
    method,
    arguments: args,
    description: `${method} ${phrase}`,
    timeout: ACTIONABLE_TIMEOUT_MS,
    requiredSettle: context.requiredSettle,
    inputAfter: context.inputAfter,
    ...(dropTarget && { dropTarget }),
    ...(pointer && { pointer }),
  };
  const done = await performStep(context.progress, context.verbs, { step, variables: context.variables });
  return { ...outcomeOf(done, { actionText: `${verbPhrase} ${label}`, call }), step: done };
}

/** Merges two consecutive outcomes. The second one determines effect and error. */
export function mergeOutcomes(first: ToolOutcome, second: ToolOutcome): ToolOutcome {
  const quoted = [first.quoted, second.quoted].filter(Boolean).join('\n');
  const summary = [first, second].map(({ text, summary: line = text }) => line).join(' ');
  const text = `${first.text} ${second.text}`;
  return { ...second, text, summary, ...(quoted !== '' && { quoted }), ...openedBy([first, second]) };
}

/** Returns a refusal if a placeholder has no variable, or if a variable must not be sent to `sink`. */
export function missingVariables(
  { variables }: ToolContext,
  texts: readonly string[],
  sink: Sink = 'document',
): ToolOutcome | undefined {
  const fault = variables.faultIn(texts) ?? variables.sinkFault(texts, sink);
  return fault === undefined ? undefined : failed(fault);
}

export function unknownRef(ref: string): ToolOutcome {
  return failed(`${JSON.stringify(ref)} is not a ref on the current page. Use a ref that the page shows.`);
}

/** Reports the action to the model in `text`. Text from the page is in `quoted`. */
function outcomeOf(
  { outcome }: DoneStep,
  { actionText, call }: { actionText: string; call: ElementCall },
): ToolOutcome {
  const { effect, notes, element } = outcome;
  const { method, verbPhrase = `${method} on`, destination = '' } = call;
  const what = element.tag.startsWith('<html') ? 'the page' : elementPhrase(element);
  const driverNotes = textsOf(notes.filter(({ quotesPage }) => !quotesPage));
  const pageNotes = textsOf(notes.filter(({ quotesPage }) => quotesPage));
  const sentence = effectSentence(effect, notes);
  return {
    text: `Done: ${[actionText, ...driverNotes].join('; ')}. ${sentence}`,
    ...(pageNotes.length > 0 && { quoted: pageNotes.join('\n') }),
    summary: `Done: ${[`${verbPhrase} ${what}${destination}`, ...textsOf(notes)].join('; ')}. ${sentence}`,
    effect,
    ...openedBy(notes),
  };
}

export function phraseOf({ role, name }: NamedElement): string {
  return name === '' ? role : `${role} ${JSON.stringify(name)}`;
}
