import type { Fingerprint } from '../../injected/contract.ts';
import { isRecord } from '../../util/is-record.ts';
import { hasForm, type JsonForm } from '../../util/json-form.ts';
import type { ActionOutcome } from '../../page/action/element-action.ts';
import { canonicalMethod } from '../../page/action/methods.ts';
import type { Action } from '../action.ts';

/** An element as the cache keeps it. */
export interface StoredElement {
  /** The frame that holds it, by its address without what follows the path; `''` for the page itself. */
  readonly frame: string;
  readonly fingerprint: Fingerprint;
}

/** A step as the cache keeps it: what was done, and by what its element is found again. */
export interface StoredStep extends StoredElement {
  readonly action: Required<Action>;
  /** Of a drag, what is dropped on. */
  readonly goal?: StoredElement;
}

const FINGERPRINT: JsonForm = {
  fields: {
    role: 'string',
    name: 'string',
    xpath: 'string',
    opening: 'string',
    attributes: { each: 'string' },
    title: 'string',
    sections: ['string'],
    landmark: 'string',
    row: ['string'],
    isTitled: 'boolean',
    column: 'string',
    alike: { fields: { place: 'number', count: 'number' }, optional: { own: 'number' } },
  },
  optional: { icon: 'string', isOn: 'boolean', isFilled: 'boolean', surroundings: [['string']] },
};

/** The form of a {@link StoredStep}. */
export const STORED_STEP: JsonForm = {
  fields: {
    action: { fields: { selector: 'string', description: 'string', method: 'string', arguments: ['string'] } },
    frame: 'string',
    fingerprint: FINGERPRINT,
  },
  optional: { goal: { fields: { frame: 'string', fingerprint: FINGERPRINT } } },
};

/** The actions that an entry of a cache holds, each with the selector that it was handed out with and the address of its page. */
export function storedActions(
  key: { readonly url: string; readonly scope?: unknown },
  content: unknown,
): { url: string; selector: string; step: StoredStep }[] {
  const { url, scope } = key;
  const given = isRecord(scope) && typeof scope['action'] === 'string' ? scope['action'] : undefined;
  return stepsIn(content).flatMap((step) =>
    [step.action.selector, ...(given === undefined ? [] : [given])].map((selector) => ({ url, selector, step })),
  );
}

function stepsIn(content: unknown): readonly StoredStep[] {
  if (hasForm(content, { fields: { found: [STORED_STEP] } })) return (content as { found: StoredStep[] }).found;
  if (!hasForm(content, { fields: { ways: [{ fields: { steps: [STORED_STEP] } }] } })) return [];
  return (content as { ways: { steps: StoredStep[] }[] }).ways.flatMap(({ steps }) => steps);
}

/** What of a step that was carried out is kept. */
interface CompletedStep {
  readonly action: Required<Action>;
  readonly outcome: Pick<ActionOutcome, 'fingerprint' | 'frameUrl'>;
  readonly goal?: StoredElement;
}

/** A step that was carried out, as it is kept; undefined when its element is not known well enough to be found again. */
export function storedStep(
  { action, outcome, goal }: CompletedStep,
  mask: (text: string) => string,
): StoredStep | undefined {
  const { fingerprint, frameUrl } = outcome;
  // What is dropped on is told by its place alone, and another element may come to stand there.
  if (!fingerprint || (canonicalMethod(action.method) === 'dragAndDrop' && !goal)) return undefined;
  return {
    action: { ...action, description: mask(action.description) },
    frame: framePlace(frameUrl),
    fingerprint: withoutState(maskedFingerprint(fingerprint, mask)),
    ...(goal && { goal: { ...goal, fingerprint: withoutState(maskedFingerprint(goal.fingerprint, mask)) } }),
  };
}

/**
 * The step as it is kept for a sentence or a task: a click on what each click switches is the same only while that is as it was,
 * or "turn on dark mode" would turn it off the second time.
 */
export function withSwitch(step: StoredStep, { fingerprint }: Pick<ActionOutcome, 'fingerprint'>): StoredStep {
  const isClicked = canonicalMethod(step.action.method) === 'click';
  if (!isClicked || fingerprint?.isOn === undefined) return step;
  return { ...step, fingerprint: { ...step.fingerprint, isOn: fingerprint.isOn } };
}

/** What a drag drops on, in the form of a step of its own, so that it is looked for as any other element is. */
export function goalAsStep({ action }: StoredStep, goal: StoredElement): StoredStep {
  const { frame, fingerprint } = goal;
  return { action: { ...action, selector: action.arguments[0] ?? '' }, frame, fingerprint };
}

/** A fingerprint whose texts may be written down, and compared with texts that were. */
export function maskedFingerprint<T extends Fingerprint>(fingerprint: T, mask: (text: string) => string): T {
  const { name, attributes, title, sections, row, column, surroundings } = fingerprint;
  const maskedAttributes = Object.entries(attributes).map(([key, value]) => [key, mask(value)] as const);
  return {
    ...fingerprint,
    name: mask(name),
    attributes: Object.fromEntries(maskedAttributes),
    title: mask(title),
    sections: sections.map(mask),
    row: row.map(mask),
    ...(surroundings && { surroundings: surroundings.map((texts) => texts.map(mask)) }),
    column: mask(column),
  };
}

/** A fingerprint of an element that is the one that is meant whether it is on or off, filled or empty. */
export function withoutState({ isOn: _isOn, isFilled: _isFilled, ...fingerprint }: Fingerprint): Fingerprint {
  return fingerprint;
}

/** A frame by its address, without what differs from visit to visit. */
export function framePlace(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, hostname, pathname } = new URL(url);
  return `${protocol}//${hostname}${pathname}`;
}
