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
  /** Milliseconds since the step before. The page may have needed them. */
  readonly waited: number;
  /** Observed effect on the page. */
  readonly effect?: ActionEffect;
  /** The element action and the fingerprint of its element. */
  readonly element?: RecordedElement;
  /** Progress note of the model for this step; see {@link progressNoteOf}. */
  readonly note?: string;
  /** The page showed the URL. It is opened again only if the page shows it again. */
  readonly isFromPage?: boolean;
  /** Digest of the page before the step, if the task depends on the pages. */
  readonly shown?: string;
  /** Description of the element that had the focus when keys were pressed; `''` if none had. */
  readonly focused?: string;
}

/** Facts known when a step starts. */
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

/** The recorded action on an element. */
export interface RecordedElement {
  readonly step: StoredStep;
  /** Locator for scripts. */
  readonly locating: Locating;
  /** Locator of a drop target, for scripts. */
  readonly goal?: Locating;
}

/** The recorded call of a tool, for the policy. */
export function recordedCall(tool: string, { step: { action, fingerprint } }: RecordedElement): RecordedCall {
  const { method, arguments: args } = action;
  return { tool, method, arguments: args, role: fingerprint.role, name: fingerprint.name };
}

const EFFECTS: readonly string[] = ['navigated', 'changed', 'opened', 'none-observed'] satisfies ActionEffect[];

/** JSON form of a {@link RecordedStep}. Its input is any object. */
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

/** True if the effect in an entry is a valid value. */
export function hasKnownEffect({ effect }: RecordedStep): boolean {
  return effect === undefined || EFFECTS.includes(effect);
}

/** Describes a step, for example `click on button "Save"`. */
export function phraseOfStep({ tool, input, element }: RecordedStep): string {
  if (element) return element.step.action.description;
  const facts = Object.values(input).filter((value) => typeof value === 'string');
  return [tool, ...facts].join(' ');
}
