import { visitElements } from '../composed-walk.ts';
import { childrenOf, getter, localNameOf, textContentOf } from '../native.ts';

/** Texts shorter than this are in so many words that only a field that holds nothing else is taken for them. */
const SHORTEST_IN_TEXT = 3;

const inputValueOf = getter<HTMLInputElement, string>(HTMLInputElement.prototype, 'value');
const inputTypeOf = getter<HTMLInputElement, string>(HTMLInputElement.prototype, 'type');
const areaValueOf = getter<HTMLTextAreaElement, string>(HTMLTextAreaElement.prototype, 'value');
const childNodesOf = getter<Node, NodeListOf<ChildNode>>(Node.prototype, 'childNodes');

/** The innermost elements that show one of these texts, as the page may have written it: with other spaces, signs or case. */
export function secretHolders(secrets: readonly string[]): Element[] {
  const tests = secrets.map(secretTest);
  const holders = new Set<Element>();
  visitElements(document, (element) => {
    if (showsInField(element, tests) || showsInText(element, tests)) holders.add(shownInstead(element));
  });
  return [...holders];
}

/** Whether a text shows a secret; `isField`: the text is all of a field's value. */
type SecretTest = (text: string, isField: boolean) => boolean;

function secretTest(secret: string): SecretTest {
  const bare = bareText(secret);
  if (bare.length >= SHORTEST_IN_TEXT) return (text) => bareText(text).includes(bare);
  return (text, isField) => (isField ? text === secret : secret.length >= SHORTEST_IN_TEXT && text.includes(secret));
}

function bareText(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

function showsInField(element: Element, tests: readonly SecretTest[]): boolean {
  const value = fieldValue(element);
  return value !== null && value !== '' && tests.some((test) => test(value, true));
}

/** A password shows as dots. */
function fieldValue(element: Element): string | null {
  if (element instanceof HTMLInputElement) return inputTypeOf(element) === 'password' ? null : inputValueOf(element);
  return element instanceof HTMLTextAreaElement ? areaValueOf(element) : null;
}

/** An element's own words show it, or all of its words together where no child does by itself. */
function showsInText(element: Element, tests: readonly SecretTest[]): boolean {
  const isIn = (text: string): boolean => tests.some((test) => test(text, false));
  const whole = textContentOf(element) ?? '';
  if (whole === '' || !isIn(whole)) return false;
  const own = [...childNodesOf(element)]
    .filter((node) => node instanceof Text)
    .map((node) => textContentOf(node) ?? '');
  return isIn(own.join('')) || !childrenOf(element).some((child) => isIn(textContentOf(child) ?? ''));
}

/** An option that is chosen is shown by its list. */
function shownInstead(element: Element): Element {
  if (localNameOf(element) !== 'option') return element;
  return Element.prototype.closest.call(element, 'select') ?? element;
}
