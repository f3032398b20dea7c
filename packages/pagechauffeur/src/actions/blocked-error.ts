import {
  ContentFrameNotFoundError,
  DriverClickError,
  DriverElementNotFoundError,
  DriverElementNotVisibleError,
  type DriverError,
  DriverInvalidArgumentError,
  DriverLocatorError,
  DriverShadowRootMissingError,
  XPathResolutionError,
} from '../errors.ts';
import type { BlockedReason, FactRead, Prepared, Resolution } from '../injected/contract.ts';
import { lackingFrameError } from '../cdp/frame-errors.ts';
import { isRef } from '../snapshot/snapshot.ts';
import { shorten } from '../util/truncate.ts';
import { taggedPhrase } from './element-phrase.ts';

type Blocked = Extract<Prepared, { kind: 'blocked' }>;
type Refused = Extract<Prepared, { kind: 'refused' }>;
type Other = Extract<Prepared, { kind: 'other' }>;
type Unresolved = Exclude<Resolution, { kind: 'element' | 'frame' }> | Unfit;
type Unfit = Exclude<FactRead, { kind: 'value' }>;

/** The selector matches an element with another fingerprint, role or name than the caller expects. */
export function otherError({ element }: Other, selector: string, callLog: readonly string[]): DriverError {
  return new DriverElementNotFoundError(
    `${selector} now matches ${taggedPhrase(element)}, which is not the intended element. Find the element again, for example with observe().`,
    {
      selectors: [selector],
      callLog,
    },
  );
}

/** The field rejects the edit, for example because the anchor does not occur in it exactly once. */
export function refusedError({ element, reason }: Refused, selector: string, callLog: readonly string[]): DriverError {
  return new DriverLocatorError(`Cannot edit ${taggedPhrase(element)}: ${reason}`, { selector, callLog });
}

const POINTER_ACTIONS = new Set(['click', 'tap', 'hover', 'check', 'drag', 'drop']);

export function blockedError(
  blocked: Blocked,
  facts: { label: string; action: string; callLog: readonly string[] },
): DriverError {
  const { label: selector, action, callLog } = facts;
  const { element, reason, cover } = blocked;
  const message = `Cannot ${action} ${taggedPhrase(element)}: ${explain(reason, cover)}`;
  if (POINTER_ACTIONS.has(action)) return new DriverClickError(message, { selector, cover, callLog });
  if (reason === 'hidden' || reason === 'zero-size')
    return new DriverElementNotVisibleError(message, { selector, callLog });
  return new DriverLocatorError(message, { selector, callLog, reason });
}

/** Completes "it is not a …". */
const CHECKABLE = 'checkbox, radio button, switch, checkable menu item, option or tree item';

const EXPLANATIONS: Readonly<Record<BlockedReason, string>> = {
  hidden: 'it is hidden. Make it visible first, or choose the visible element that represents it.',
  'zero-size': 'it has no size: its width or height on the page is 0. Choose the visible element that represents it.',
  disabled: 'it is disabled. First do what enables it, for example fill in the required fields.',
  inert:
    'it is in an inert part of the page, which accepts no input. First do what makes it usable, for example close or complete the dialog in front of it.',
  'read-only': 'it is read-only. First do what makes it editable, for example click an edit button.',
  moving: 'it kept moving. Wait for the animation to end.',
  covered: 'another element covers it. Close the covering element or scroll it away first.',
  'no-pointer':
    'it ignores clicks: its style has `pointer-events: none`, as disabled buttons often do. First do what enables it.',
  'off-screen':
    'it is outside the viewport and cannot be scrolled into view. First open the part of the page that contains it.',
  'point-outside': 'the point is outside the element.',
  unfocused: 'it cannot keep the focus, and nothing was typed. First close what takes the focus.',
  'not-focusable':
    'it can take neither text nor the focus. Choose the input, text area or editable element itself, or click the element and use the keyboard.',
  'not-editable': 'it is not editable. Choose the input, text area or editable element itself.',
  'custom-slider': 'it is a slider without a field. Press the arrow keys on it, Home or End, or drag its thumb.',
  'not-a-select': 'it is not a select element. Click it to open its options, then click the option.',
  'not-checkable': `it is not a ${CHECKABLE}. Click it instead.`,
};

function explain(reason: BlockedReason, cover: string | undefined): string {
  if (cover === undefined) return EXPLANATIONS[reason];
  if (reason === 'covered') return `${cover} covers it. Close the covering element or scroll it away first.`;
  if (reason === 'point-outside') return `the point is outside the element, which is ${cover} pixels large.`;
  if (reason === 'unfocused')
    return `it cannot keep the focus: ${cover} takes it, and nothing was typed. First close what takes the focus.`;
  return EXPLANATIONS[reason];
}

export function unresolvedError(resolution: Unresolved, label: string, callLog: readonly string[]): DriverError {
  switch (resolution.kind) {
    case 'invalid':
      return resolution.isXPath
        ? new XPathResolutionError(`Cannot use the XPath ${label}: ${shorten(resolution.message)}`, {
            xpath: label,
            callLog,
          })
        : new DriverInvalidArgumentError(`Cannot use the selector ${label}: ${shorten(resolution.message)}`, {
            argument: 'selector',
            callLog,
          });
    case 'no-shadow-root':
      return new DriverShadowRootMissingError(`${label} enters a shadow root, but ${resolution.matched} has none.`, {
        callLog,
      });
    case 'stale':
      return new DriverElementNotFoundError(
        `The element ${label} is no longer on the page. Take a new snapshot and choose an element from it.`,
        { selectors: [label], callLog },
      );
    case 'no-frame':
      return new ContentFrameNotFoundError(`${label} enters a frame, but ${resolution.tag} is not a frame.`, {
        selector: label,
        callLog,
      });
    case 'ambiguous':
      return ambiguous(resolution, label, callLog);
    case 'none':
      return notFound(label, resolution, callLog);
    case 'unfit':
      return unfit(resolution, label, callLog);
  }
}

/** Completes "<element> has no …". */
const UNFIT: Readonly<Record<Unfit['fact'], string>> = {
  inputValue: 'value: it is not an input, text area, select or editable element. Use textContent() for its text.',
  isChecked: `checked state: it is not a ${CHECKABLE}.`,
};

function unfit({ element, fact }: Unfit, selector: string, callLog: readonly string[]): DriverError {
  return new DriverLocatorError(`${taggedPhrase(element)} has no ${UNFIT[fact]}`, { selector, callLog });
}

function ambiguous(
  { count, candidates }: Extract<Unresolved, { kind: 'ambiguous' }>,
  selector: string,
  callLog: readonly string[],
): DriverError {
  const named = candidates.map((element, index) => `${index + 1}) ${taggedPhrase(element)}`).join(', ');
  const more = count > candidates.length ? `, and ${count - candidates.length} more` : '';
  return new DriverLocatorError(
    `${count} elements match ${selector}, but a strict locator must match exactly one: ${named}${more}. Make the selector more specific, or use first() or nth().`,
    { selector, callLog },
  );
}

function notFound(
  label: string,
  { matched, lacks }: Extract<Unresolved, { kind: 'none' }>,
  callLog: readonly string[],
): DriverError {
  if (lacks !== undefined) return lackingFrameError(lacks, label, callLog);
  const advice = isRef(label)
    ? 'It looks like a ref of a snapshot, which is not a selector. Use a selector from observe(), or the role and name: role=button[name="Save"].'
    : matched === ''
      ? 'Check the selector, or raise `timeout` if the element appears later.'
      : `The page has ${matched}, but no element matches the rest of the selector.`;
  return new DriverElementNotFoundError(`No element matches ${label}. ${advice}`, { selectors: [label], callLog });
}
