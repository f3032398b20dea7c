import type { ActionEffect } from '../../actions/element-action.ts';
import type { RecordedCall } from '../../policy/recorded-calls.ts';
import type { JsonForm } from '../../util/json-form.ts';
import { STORED_STEP, type StoredStep } from '../../replay/stored-step.ts';
import { LOCATING, type Locating } from '../script/locating.ts';

/** One recorded action. Replays and scripts are made from it. */
export interface RecordedStep {
  readonly tool: string;
  /** Input of the tool without refs. Variables appear as `%name%` placeholders. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Index among the pages of the run, in order of first use. */
  readonly page: number;
  /** URL before the step, without port, query and fragment. */
  readonly url: string;
  /** Time in ms since the previous step. The page may have needed it. */
  readonly waited: number;
  readonly effect?: ActionEffect;
  /** Missing for steps that act on no element, such as `navigate`. */
  readonly element?: RecordedElement;
  /** The model's note about its progress, see {@link progressNoteOf}. */
  readonly note?: string;
  /** True if the page had a link to `input.url`. A replay opens the URL only if the page still has that link. */
  readonly isFromPage?: boolean;
  /** Digest of the page before the step, if the task depends on page content. */
  readonly shown?: string;
  /** Description of the element that was focused when keys were pressed; `''` if there was none. */
  readonly focused?: string;
}

export type StepFacts = Pick<RecordedStep, 'page' | 'url' | 'waited' | 'shown' | 'focused'>;

/** Tools without an element. A replay calls them again with the same input. */
export const REPEATED_TOOLS: ReadonlySet<string> = new Set([
  'navigate',
  'back',
  'press',
  'scroll',
  'wait',
  'dialog',
  'download',
  'tabs',
]);

export interface RecordedElement {
  readonly step: StoredStep;
  /** Locator to use in scripts. */
  readonly locating: Locating;
  /** Locator of the drop target, to use in scripts. */
  readonly goal?: Locating;
}

/** Converts a recorded action to the input of the policy. */
export function recordedCall(tool: string, { step: { action, fingerprint } }: RecordedElement): RecordedCall {
  const { method, arguments: args } = action;
  return { tool, method, arguments: args, role: fingerprint.role, name: fingerprint.name };
}

const EFFECTS: readonly string[] = ['navigated', 'changed', 'opened', 'none-observed'] satisfies ActionEffect[];

/** `input: { fields: {} }` accepts any object. */
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

export function hasKnownEffect({ effect }: RecordedStep): boolean {
  return effect === undefined || EFFECTS.includes(effect);
}

/** Describes a step, for example `click on button "Save"`. */
export function phraseOfStep({ tool, input, element }: RecordedStep): string {
  if (element) return element.step.action.description;
  const facts = Object.values(input).filter((value) => typeof value === 'string');
  return [tool, ...facts].join(' ');
}
