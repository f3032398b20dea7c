import type { Fingerprint } from '../injected/contract.ts';
import { isRecord } from '../util/is-record.ts';
import { hasForm, type JsonForm } from '../util/json-form.ts';
import type { ActionOutcome } from '../actions/element-action.ts';
import { canonicalMethod } from '../actions/methods.ts';
import type { Action } from './action.ts';

export interface StoredElement {
  /** URL of the frame without port, query and fragment; `''` for the main frame. */
  readonly frame: string;
  readonly fingerprint: Fingerprint;
}

/** A cached action with the fingerprint of its element. */
export interface StoredStep extends StoredElement {
  readonly action: Required<Action>;
  /** Drop target of a drag. */
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
  optional: { icon: 'string', isOn: 'boolean', isFilled: 'boolean', takesPress: 'boolean', surroundings: [['string']] },
};

export const STORED_STEP: JsonForm = {
  fields: {
    action: { fields: { selector: 'string', description: 'string', method: 'string', arguments: ['string'] } },
    frame: 'string',
    fingerprint: FINGERPRINT,
  },
  optional: { goal: { fields: { frame: 'string', fingerprint: FINGERPRINT } } },
};

/** Returns the actions in a cache entry, with the page URL and the selectors that the caller may pass. */
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

/** The parts of a `DoneStep` that are stored. */
interface CompletedStep {
  readonly action: Required<Action>;
  readonly outcome: Pick<ActionOutcome, 'fingerprint' | 'frameUrl'>;
  readonly goal?: StoredElement;
}

/** Converts a completed step to its cached form. Returns `undefined` if its elements cannot be identified later. */
export function storedStep(
  { action, outcome, goal }: CompletedStep,
  mask: (text: string) => string,
): StoredStep | undefined {
  const { fingerprint, frameUrl } = outcome;
  // Without `goal`, the drop target could not be identified later.
  if (!fingerprint || (canonicalMethod(action.method) === 'dragAndDrop' && !goal)) return undefined;
  return {
    action: { ...action, description: mask(action.description) },
    frame: normalizedFrameUrl(frameUrl),
    fingerprint: withoutState(maskedFingerprint(fingerprint, mask)),
    ...(goal && { goal: { ...goal, fingerprint: withoutState(maskedFingerprint(goal.fingerprint, mask)) } }),
  };
}

/** Stores whether a switch was on before the click. Otherwise a replay of "turn on dark mode" could turn it off. */
export function withSwitch(step: StoredStep, { fingerprint }: Pick<ActionOutcome, 'fingerprint'>): StoredStep {
  const isClicked = canonicalMethod(step.action.method) === 'click';
  if (!isClicked || fingerprint?.isOn === undefined) return step;
  return { ...step, fingerprint: { ...step.fingerprint, isOn: fingerprint.isOn } };
}

/** Makes the drop target searchable like any other element. */
export function goalAsStep({ action }: StoredStep, goal: StoredElement): StoredStep {
  const { frame, fingerprint } = goal;
  return { action: { ...action, selector: action.arguments[0] ?? '' }, frame, fingerprint };
}

/** Masks variable values in the text and attributes of a fingerprint. */
export function maskedFingerprint<T extends Fingerprint>(fingerprint: T, mask: (text: string) => string): T {
  const { name, attributes, title, sections, row, column, surroundings } = fingerprint;
  const maskedAttributes = Object.entries(attributes).map(([key, value]) => [key, mask(value)] as const);
  return {
    ...fingerprint,
    name: mask(name),
    attributes: Object.fromEntries(maskedAttributes),
    title: mask(title),
    sections: maskedTexts(sections, mask),
    row: maskedTexts(row, mask),
    ...(surroundings && { surroundings: surroundings.map((texts) => maskedTexts(texts, mask)) }),
    column: mask(column),
  };
}

/** Removes state that the action itself may change. */
export function withoutState({ isOn: _isOn, isFilled: _isFilled, ...fingerprint }: Fingerprint): Fingerprint {
  return fingerprint;
}

/** Removes the parts of a URL that can change between visits: port, query and fragment. */
export function normalizedFrameUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, hostname, pathname } = new URL(url);
  return `${protocol}//${hostname}${pathname}`;
}

/**
 * Separates strings that are masked together. `ValueMask` recognizes a long value with up to 8 characters between its
 * letters, so also across this separator. In a short value, it accepts at most 3.
 */
const BETWEEN_TEXTS = '\n-\n-\n-\n';

/** Masks the strings together, because a page can split a value across several of them. */
function maskedTexts(texts: readonly string[], mask: (text: string) => string): readonly string[] {
  const lines = texts.map((text) => `- ${text.replaceAll('\n', ' ')}`);
  const masked = mask(lines.join(BETWEEN_TEXTS)).split(BETWEEN_TEXTS);
  return texts.map((text, index) => {
    const line = masked[index];
    return line === undefined || line === lines[index] ? mask(text) : line.slice(2);
  });
}
