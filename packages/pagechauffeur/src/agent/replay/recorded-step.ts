import type { ActionEffect } from '../../actions/element-action.ts';
import type { RecordedCall } from '../../policy/recorded-calls.ts';
import type { JsonForm } from '../../util/json-form.ts';
import { STORED_STEP, type StoredStep } from '../../replay/stored-step.ts';
import { LOCATING, type Locating } from '../script/locating.ts';

/** One action of an agent, for replay and scripts. */
export interface RecordedStep {
  /** Name of the tool. */
  readonly tool: string;
  /** Input of the tool, without refs. Contains placeholders. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Index of the page, in order of first use during the run. */
  readonly page: number;
  /** URL of that page before the step, without query and fragment. */
  readonly url: string;
  /** Milliseconds between the previous step and this one. The page may have needed this time. */
  readonly waited: number;
  /** Observed effect on the page. */
  readonly effect?: ActionEffect;
  /** The element action and the fingerprint of its element. */
  readonly element?: RecordedElement;
  /** Progress note of the model for this step; see {@link progressNoteOf}. */
  readonly note?: string;
  /** True if the URL comes from the page. It is opened again only if the page still contains it. */
  readonly isFromPage?: boolean;
  /** Digest of the page before the step, if the task depends on the content of pages. */
  readonly shown?: string;
  /** Description of the focused element when keys were pressed; `''` if there was none. */
  readonly focused?: string;
}

/** Facts that are known when a step starts. */
export type StepFacts = Pick<RecordedStep, 'page' | 'url' | 'waited' | 'shown' | 'focused'>;

/** Tools that are replayed by calling them again with the same input. */
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

/** The element of a recorded action. */
export interface RecordedElement {
  readonly step: StoredStep;
  /** Locator for scripts. */
  readonly locating: Locating;
  /** Locator of a drop target, for scripts. */
  readonly goal?: Locating;
}

/** Converts a recorded action to the form that the policy checks. */
export function recordedCall(tool: string, { step: { action, fingerprint } }: RecordedElement): RecordedCall {
  const { method, arguments: args } = action;
  return { tool, method, arguments: args, role: fingerprint.role, name: fingerprint.name };
}

const EFFECTS: readonly string[] = ['navigated', 'changed', 'opened', 'none-observed'] satisfies ActionEffect[];

/** JSON form of a {@link RecordedStep}. `input` can be any object. */
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

/** True if the effect in a cache entry is valid. */
export function hasKnownEffect({ effect }: RecordedStep): boolean {
  return effect === undefined || EFFECTS.includes(effect);
}

/** Describes a step, for example `click on button "Save"`. */
export function phraseOfStep({ tool, input, element }: RecordedStep): string {
  if (element) return element.step.action.description;
  const facts = Object.values(input).filter((value) => typeof value === 'string');
  return [tool, ...facts].join(' ');
}
