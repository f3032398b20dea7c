import { visitElements } from '../composed-walk.ts';
import { nameOf } from '../name.ts';
import { attributeOf, hasAttribute, matches, textContentOf } from '../native.ts';
import { engineMessage, invalidSelector, type InvalidSelector, type QueryOutcome } from './outcome.ts';
import { parseTextTest, type TextTest } from './text-test.ts';

const LABELABLE = 'input:not([type="hidden"]), textarea, select, button, meter, output, progress';

/** Finds controls by their label: `<label>`, `aria-label` or `aria-labelledby`. */
export function queryLabel(root: ParentNode, body: string): QueryOutcome {
  const isWanted = tryToParse(body.trim());
  if (typeof isWanted !== 'function') return isWanted;
  const elements: Element[] = [];
  visitElements(root, (element) => {
    if (isLabelled(element) && namesOf(element).some(isWanted)) elements.push(element);
  });
  return { kind: 'elements', elements };
}

function tryToParse(body: string): TextTest | InvalidSelector {
  try {
    return parseTextTest(body);
  } catch (error) {
    return invalidSelector(`${engineMessage(error)}. The form is label=Email, label="Email" or label=/e-?mail/i.`);
  }
}

// If a control has several labels, each of them matches.
function namesOf(element: Element): string[] {
  const labels = matches(element, LABELABLE) ? [...((element as HTMLInputElement).labels ?? [])] : [];
  const label = attributeOf(element, 'aria-label');
  return [nameOf(element), ...(label === null ? [] : [label]), ...labels.map((one) => textContentOf(one) ?? '')];
}

function isLabelled(element: Element): boolean {
  if (hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby')) return true;
  return matches(element, LABELABLE) && ((element as HTMLInputElement).labels?.length ?? 0) > 0;
}
