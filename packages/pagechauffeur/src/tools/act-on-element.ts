import { effectSentence } from '../act/act-result.ts';
import { DriverElementNotFoundError } from '../errors.ts';
import { textsOf } from '../page/action/effect-note.ts';
import type { ActionTarget, PointerManner } from '../page/action/element-action.ts';
import { elementPhrase } from '../page/action/element-phrase.ts';
import type { Sink } from '../policy/variable-sinks.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { type DoneStep, performStep, type Step } from '../verb/perform-step.ts';
import type { NamedElement, ToolContext } from './tool-context.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';

/** What is done to an element. */
export interface ElementCall {
  readonly method: string;
  /** What is done, up to the element, where the method does not say it well. */
  readonly words?: string;
  /** What comes after the element, for people, such as where it is dragged. */
  readonly destination?: string;
  readonly arguments?: readonly string[];
  /** Of a drag, what to drop on. */
  readonly dropTarget?: ActionTarget;
  /** Where on the element, when a point of the page says what is meant; what lies there gets it. */
  readonly pointer?: PointerManner;
}

/** An element, and how it is called: by the model, and in words of the page where those are known. */
export interface ActedElement {
  readonly target: ActionTarget;
  readonly label: string;
  readonly phrase?: string;
}

/** Carries out an action on the element that a ref stands for, and tells what it did. */
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

/** The element that replaced one which the page rendered anew. It must be the only one of its role and name, before and now, and in the same document. */
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

/**
 * Milliseconds that an element may take to become actionable. It was shown to who names it, on a page at rest: what is in
 * its way then stays there, and is told soon.
 */
const PATIENCE_MS = 1500;

/** Carries out an action on an element, and tells what it did. */
export async function actOn(
  context: ToolContext,
  { target, label, phrase = label }: ActedElement,
  call: ElementCall,
): Promise<ToolOutcome> {
  const { method, words = method, arguments: args = [], dropTarget, pointer } = call;
  const refusal = missingVariables(context, args);
  if (refusal) return refusal;
  const step: Step = {
    target,
    method,
    arguments: args,
    description: `${method} ${phrase}`,
    patience: PATIENCE_MS,
    rest: context.rest,
    inputAfter: context.inputAfter,
    ...(dropTarget && { dropTarget }),
    ...(pointer && { pointer }),
  };
  const done = await performStep(context.progress, context.verbs, { step, variables: context.variables });
  return { ...outcomeOf(done, { said: `${words} ${label}`, call }), step: done };
}

/** What came of two actions, one after the other; the second counts. */
export function andThen(first: ToolOutcome, second: ToolOutcome): ToolOutcome {
  const quoted = [first.quoted, second.quoted].filter(Boolean).join('\n');
  const summary = [first, second].map(({ text, summary: words = text }) => words).join(' ');
  return { ...second, text: `${first.text} ${second.text}`, summary, ...(quoted !== '' && { quoted }) };
}

/** Refuses placeholders without a variable, and variables that may not go where the texts go; undefined if there are none. */
export function missingVariables(
  { variables }: ToolContext,
  texts: readonly string[],
  sink: Sink = 'document',
): ToolOutcome | undefined {
  const fault = variables.faultIn(texts) ?? variables.sinkFault(texts, sink);
  return fault === undefined ? undefined : failed(fault);
}

/** What a model is told that names an element it was not shown. */
export function unknownRef(ref: string): ToolOutcome {
  return failed(
    `${JSON.stringify(ref)} stands in no page that was shown, or its document is gone. Use a ref of the page as it was shown last.`,
  );
}

/** What was done in our words; what the page says of it, with names and texts of its own, apart. */
function outcomeOf({ outcome }: DoneStep, { said, call }: { said: string; call: ElementCall }): ToolOutcome {
  const { effect, notes, element } = outcome;
  const { method, words = `${method} on`, destination = '' } = call;
  const what = element.tag.startsWith('<html') ? 'the page' : elementPhrase(element);
  const ours = textsOf(notes.filter(({ quotesPage }) => !quotesPage));
  const theirs = textsOf(notes.filter(({ quotesPage }) => quotesPage));
  const sentence = effectSentence(effect, notes);
  return {
    text: `Done: ${[said, ...ours].join('; ')}. ${sentence}`,
    ...(theirs.length > 0 && { quoted: theirs.join('\n') }),
    summary: `Done: ${[`${words} ${what}${destination}`, ...textsOf(notes)].join('; ')}. ${sentence}`,
    effect,
  };
}

/** An element in words: `button "Save"`. */
export function phraseOf({ role, name }: NamedElement): string {
  return name === '' ? role : `${role} ${JSON.stringify(name)}`;
}
