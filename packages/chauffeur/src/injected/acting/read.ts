import type { ElementFact, ElementTarget, Unexplored, WaitLimit } from '../contract.ts';
import type { NotFound } from '../locate.ts';
import { attributeOf, innerHtmlOf, isContentEditable, renderedTextOf, textContentOf } from '../native.ts';
import { invisibilityOf, isDisabledForActing, isReadOnly } from './actionability.ts';
import { refOf } from '../refs.ts';
import { locateInTime } from './locate-in-time.ts';
import { checkedStateOf, isEditable } from './subject.ts';

const readers: Readonly<Record<Exclude<ElementFact, `attribute:${string}`>, (element: Element) => unknown>> = {
  textContent: textContentOf,
  innerText: renderedTextOf,
  innerHTML: innerHtmlOf,
  inputValue: valueOf,
  isVisible: (element) => invisibilityOf(element) === null,
  isChecked: (element) => checkedStateOf(element) ?? false,
  isEnabled: (element) => !isDisabledForActing(element),
  isEditable: (element) => isEditable(element) && !isDisabledForActing(element) && !isReadOnly(element),
  ref: refOf,
  shownRef: (element) => (invisibilityOf(element) === 'hidden' ? null : refOf(element)),
};

/** Reads one fact about an element, which may have to be waited for. */
export async function read(
  target: ElementTarget,
  fact: ElementFact,
  limit?: WaitLimit,
): Promise<{ readonly kind: 'value'; readonly value: unknown } | NotFound | Unexplored> {
  const located = await locateInTime(target, limit);
  if (located.kind !== 'element') return located;
  const { element } = located;
  return {
    kind: 'value',
    value: isAttribute(fact) ? attributeOf(element, fact.slice('attribute:'.length)) : readers[fact](element),
  };
}

function isAttribute(fact: ElementFact): fact is `attribute:${string}` {
  return fact.startsWith('attribute:');
}

// A label stands for its control, and an editable part has its text for a value.
function valueOf(element: Element): string | null {
  const control = element instanceof HTMLLabelElement ? (element.control ?? element) : element;
  if (
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement
  )
    return control.value;
  return control instanceof HTMLElement && isContentEditable(control) ? renderedTextOf(control) : null;
}
