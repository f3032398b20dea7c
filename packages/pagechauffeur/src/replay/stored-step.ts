import type { Fingerprint } from '../injected/contract.ts';
import { isRecord } from '../util/is-record.ts';
import { hasForm, type JsonForm } from '../util/json-form.ts';
import type { ActionOutcome } from '../actions/element-action.ts';
import { canonicalMethod } from '../actions/methods.ts';
import type { Action } from './action.ts';

/** A cached element. */
export interface StoredElement {
  /** The frame's URL without query and fragment. `''` for the main frame. */
  readonly frame: string;
  readonly fingerprint: Fingerprint;
}

/** A cached step: the action, and the fingerprint of its element. */
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

/** JSON form of a {@link StoredStep}. */
export const STORED_STEP: JsonForm = {
  fields: {
    action: { fields: { selector: 'string', description: 'string', method: 'string', arguments: ['string'] } },
    frame: 'string',
    fingerprint: FINGERPRINT,
  },
  optional: { goal: { fields: { frame: 'string', fingerprint: FINGERPRINT } } },
};

/** Returns the actions in a cache entry, each with the URL of its page and the selector that the caller received. */
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

/** The parts of a completed step that are needed to store it. */
interface CompletedStep {
  readonly action: Required<Action>;
  readonly outcome: Pick<ActionOutcome, 'fingerprint' | 'frameUrl'>;
  readonly goal?: StoredElement;
}

/**
 * Converts a completed step to its stored form. Returns `undefined` if the element could not be found again with
 * certainty.
 */
export function storedStep(
  { action, outcome, goal }: CompletedStep,
  mask: (text: string) => string,
): StoredStep | undefined {
  const { fingerprint, frameUrl } = outcome;
  // Without `goal`, only the position of the drop target is known, and another element can be there next time.
  if (!fingerprint || (canonicalMethod(action.method) === 'dragAndDrop' && !goal)) return undefined;
  return {
    action: { ...action, description: mask(action.description) },
    frame: framePlace(frameUrl),
    fingerprint: withoutState(maskedFingerprint(fingerprint, mask)),
    ...(goal && { goal: { ...goal, fingerprint: withoutState(maskedFingerprint(goal.fingerprint, mask)) } }),
  };
}

/**
 * Adds the checked state before the action to the fingerprint of a clicked switch. Without it, the replay of "turn on
 * dark mode" could turn it off.
 */
export function withSwitch(step: StoredStep, { fingerprint }: Pick<ActionOutcome, 'fingerprint'>): StoredStep {
  const isClicked = canonicalMethod(step.action.method) === 'click';
  if (!isClicked || fingerprint?.isOn === undefined) return step;
  return { ...step, fingerprint: { ...step.fingerprint, isOn: fingerprint.isOn } };
}

/** Converts the drop target of a drag to a step, so that it can be found like any other element. */
export function goalAsStep({ action }: StoredStep, goal: StoredElement): StoredStep {
  const { frame, fingerprint } = goal;
  return { action: { ...action, selector: action.arguments[0] ?? '' }, frame, fingerprint };
}

/** Masks the texts of a fingerprint before it is stored or compared with stored ones. */
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

/** Removes the checked and filled state from a fingerprint. */
export function withoutState({ isOn: _isOn, isFilled: _isFilled, ...fingerprint }: Fingerprint): Fingerprint {
  return fingerprint;
}

/** The URL of a frame without query, fragment and port, which can change between visits. */
export function framePlace(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, hostname, pathname } = new URL(url);
  return `${protocol}//${hostname}${pathname}`;
}

/**
 * Separator between two texts. Short enough that the mask finds a value that is spread over both texts, and long enough
 * that the mask does not join them.
 */
const BETWEEN_TEXTS = '\n-\n-\n-\n';

/** Masks neighbouring texts of a page together, because a value can be spread over several of them. */
function maskedTexts(texts: readonly string[], mask: (text: string) => string): readonly string[] {
  const lines = texts.map((text) => `- ${text.replaceAll('\n', ' ')}`);
  const masked = mask(lines.join(BETWEEN_TEXTS)).split(BETWEEN_TEXTS);
  return texts.map((text, index) => {
    const line = masked[index];
    return line === undefined || line === lines[index] ? mask(text) : line.slice(2);
  });
}
