import type { CallId, ElementFact, ElementTarget, FactRead, Unexplored } from '../contract.ts';
import { describeElement } from '../element/describe.ts';
import type { NotFound } from '../selector/locate.ts';
import { attributeOf, innerHtmlOf, isContentEditable, renderedTextOf, textContentOf } from '../native.ts';
import { invisibilityOf, isDisabledForActing, isReadOnly } from './actionability.ts';
import { isOutdated, markOutdated } from '../exploration/custom-elements.ts';
import { refOf } from '../refs.ts';
import { locateInTime } from './locate-in-time.ts';
import { UNEXPLORED } from '../exploration/unexplored.ts';
import { checkedStateOf, isEditable, hidesCheckedState } from './subject.ts';

/** Properties that only some elements have. */
type PartialFact = Extract<FactRead, { kind: 'unfit' }>['fact'];
type CommonFact = Exclude<ElementFact, PartialFact | `attribute:${string}`>;

/** Facts that `ElementInternals` can change without an event. */
const STATES: ReadonlySet<ElementFact> = new Set(['isChecked', 'hidesCheckedState', 'isEnabled', 'isEditable']);

const partialReaders: Readonly<Record<PartialFact, (element: Element) => unknown>> = {
  inputValue: valueOf,
  isChecked: (element) => checkedStateOf(controlOf(element)),
};

const readers: Readonly<Record<CommonFact, (element: Element) => unknown>> = {
  textContent: textContentOf,
  innerText: renderedTextOf,
  innerHTML: innerHtmlOf,
  isVisible: (element) => invisibilityOf(element) === null,
  hidesCheckedState: (element) => hidesCheckedState(controlOf(element)),
  isEnabled: (element) => !isDisabledForActing(element),
  isEditable: (element) => isEditableNow(controlOf(element)),
  ref: refOf,
  shownRef: (element) => (invisibilityOf(element) === 'hidden' ? null : refOf(element)),
};

/** Returns `unfit` if this kind of element does not have the property. */
export async function read(
  target: ElementTarget,
  fact: ElementFact,
  timeout = 0,
  call?: CallId,
): Promise<FactRead | NotFound | Unexplored> {
  const located = await locateInTime(target, timeout, call);
  if (located.kind !== 'element') return located;
  const { element } = located;
  const subject = controlOf(element);
  if (STATES.has(fact) && isOutdated(subject)) return UNEXPLORED;
  markOutdated(subject);
  if (fact === 'inputValue' || fact === 'isChecked') return readPartial(element, fact);
  return {
    kind: 'value',
    value: isAttribute(fact) ? attributeOf(element, fact.slice('attribute:'.length)) : readers[fact](element),
  };
}

function readPartial(element: Element, fact: PartialFact): FactRead {
  const value = partialReaders[fact](element);
  return value === undefined ? { kind: 'unfit', fact, element: describeElement(element) } : { kind: 'value', value };
}

function isAttribute(fact: CommonFact | `attribute:${string}`): fact is `attribute:${string}` {
  return fact.startsWith('attribute:');
}

// A label has the properties of its control.
function controlOf(element: Element): Element {
  return element instanceof HTMLLabelElement ? (element.control ?? element) : element;
}

function isEditableNow(element: Element): boolean {
  return isEditable(element) && !isDisabledForActing(element) && !isReadOnly(element);
}

// For contenteditable elements, returns the rendered text.
function valueOf(element: Element): string | undefined {
  const control = controlOf(element);
  if (
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement
  )
    return control.value;
  return control instanceof HTMLElement && isContentEditable(control) ? renderedTextOf(control) : undefined;
}
