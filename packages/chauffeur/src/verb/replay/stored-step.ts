import type { Fingerprint } from '../../injected/contract.ts';
import type { JsonForm } from '../../util/json-form.ts';
import type { Action } from '../action.ts';
import type { DoneStep } from '../perform-step.ts';

/** An element as the cache keeps it. */
export interface StoredElement {
  /** The frame that holds it, by its address without what follows the path; `''` for the page itself. */
  readonly frame: string;
  readonly fingerprint: Fingerprint;
}

/** A step as the cache keeps it: what was done, and by what its element is found again. */
export interface StoredStep extends StoredElement {
  readonly action: Required<Action>;
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
    alike: { fields: { place: 'number', count: 'number' } },
  },
  optional: { icon: 'string' },
};

/** The form of a {@link StoredStep}. */
export const STORED_STEP: JsonForm = {
  fields: {
    action: { fields: { selector: 'string', description: 'string', method: 'string', arguments: ['string'] } },
    frame: 'string',
    fingerprint: FINGERPRINT,
  },
};

/** A step that was carried out, as it is kept; undefined when its element is not known well enough to be found again. */
export function storedStep({ action, outcome }: DoneStep, mask: (text: string) => string): StoredStep | undefined {
  const { fingerprint, frameUrl } = outcome;
  if (!fingerprint || METHODS_NOT_KEPT.has(action.method)) return undefined;
  return {
    action: { ...action, description: mask(action.description) },
    frame: framePlace(frameUrl),
    fingerprint: maskedFingerprint(fingerprint, mask),
  };
}

// What is dropped on is told by its place alone, and another element may come to stand there.
const METHODS_NOT_KEPT: ReadonlySet<string> = new Set(['dragAndDrop', 'dragTo']);

/** A fingerprint whose texts may be written down, and compared with texts that were. */
export function maskedFingerprint<T extends Fingerprint>(fingerprint: T, mask: (text: string) => string): T {
  const { name, attributes, title, sections, row, column } = fingerprint;
  const maskedAttributes = Object.entries(attributes).map(([key, value]) => [key, mask(value)] as const);
  return {
    ...fingerprint,
    name: mask(name),
    attributes: Object.fromEntries(maskedAttributes),
    title: mask(title),
    sections: sections.map(mask),
    row: row.map(mask),
    column: mask(column),
  };
}

/** A frame by its address, without what differs from visit to visit. */
export function framePlace(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, hostname, pathname } = new URL(url);
  return `${protocol}//${hostname}${pathname}`;
}
