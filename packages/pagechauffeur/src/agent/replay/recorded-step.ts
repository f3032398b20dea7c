import type { ActionEffect } from '../../page/action/element-action.ts';
import type { RecordedCall } from '../../policy/recorded-calls.ts';
import type { JsonForm } from '../../util/json-form.ts';
import { STORED_STEP, type StoredStep } from '../../verb/replay/stored-step.ts';
import { LOCATING, type Locating } from '../script/locating.ts';

/** One thing that an agent did, as it can be done again and written as a line of a script. */
export interface RecordedStep {
  /** The name of the tool. */
  readonly tool: string;
  /** What the tool was given, without refs; placeholders stay as they are. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Which page it was done on, counted from 0 in the order in which the run came to work on them. */
  readonly page: number;
  /** The address of that page before, without what follows the path. */
  readonly url: string;
  /** Milliseconds since the step before; the page may have needed them. */
  readonly waited: number;
  /** What the page showed for it. */
  readonly effect?: ActionEffect;
  /** Of what was done to an element: what, and by what the element is found again. */
  readonly element?: RecordedElement;
  /** How far the task had come with it, as the model noted it; see {@link progressNoteOf}. */
  readonly note?: string;
  /** The address was one that the page showed, and is opened again only when it does. */
  readonly isFromPage?: boolean;
  /** Of a task that leaves it to the pages what is done: a digest of what the page showed before. */
  readonly shown?: string;
  /** Of keys that were pressed where the focus was: what had it, in words; `''` when nothing had. */
  readonly focused?: string;
}

/** What is known of a step when it begins. */
export type StepFacts = Pick<RecordedStep, 'page' | 'url' | 'waited' | 'shown' | 'focused'>;

/** Tools that do something again by being called again with the same input. */
export const CALLED_AGAIN: ReadonlySet<string> = new Set([
  'navigate',
  'back',
  'press',
  'scroll',
  'wait',
  'dialog',
  'download',
  'tabs',
]);

/** What was done to an element. */
export interface RecordedElement {
  readonly step: StoredStep;
  /** How a script finds it. */
  readonly locating: Locating;
  /** Of a drag, how a script finds what it is dropped on. */
  readonly goal?: Locating;
}

/** The call that a tool was recorded with, for the rules that it is held to. */
export function recordedCall(tool: string, { step: { action, fingerprint } }: RecordedElement): RecordedCall {
  const { method, arguments: args } = action;
  return { tool, method, arguments: args, role: fingerprint.role, name: fingerprint.name };
}

const EFFECTS: readonly string[] = ['navigated', 'changed', 'opened', 'none-observed'] satisfies ActionEffect[];

/** The form of a {@link RecordedStep}; its input is any object. */
export const RECORDED_STEP: JsonForm = {
  fields: { tool: 'string', input: { fields: {} }, page: 'number', url: 'string', waited: 'number' },
  optional: {
    effect: 'string',
    element: { fields: { step: STORED_STEP, locating: LOCATING }, optional: { goal: LOCATING } },
    note: 'string',
    isFromPage: 'boolean',
    shown: 'string',
    focused: 'string',
  },
};

/** Whether what an entry says of the page's answer is one of the answers that there are. */
export function hasKnownEffect({ effect }: RecordedStep): boolean {
  return effect === undefined || EFFECTS.includes(effect);
}

/** A step in a few words, such as `click on button "Save"`. */
export function phraseOfStep({ tool, input, element }: RecordedStep): string {
  if (element) return element.step.action.description;
  const facts = Object.values(input).filter((value) => typeof value === 'string');
  return [tool, ...facts].join(' ');
}
