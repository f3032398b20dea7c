import { shadowRootsBelow } from '../composed-walk.ts';
import {
  areaValueOf,
  childrenOf,
  firstChildOf,
  getter,
  inputValueOf,
  localNameOf,
  nextSiblingOf,
  queryAll,
  textContentOf,
} from '../native.ts';

/** Texts shorter than this are in so many words that only a field that holds nothing else is taken for them. */
const SHORTEST_IN_TEXT = 3;

const inputTypeOf = getter<HTMLInputElement, string>(HTMLInputElement.prototype, 'type');

/** The innermost elements that show one of these texts, as the page may have written it: with other spaces, signs or case. */
export function secretHolders(secrets: readonly string[]): Element[] {
  const tests = secrets.map(secretTest);
  const holders = new Set<Element>();
  for (const root of [document, ...shadowRootsBelow(document)]) {
    for (const field of queryAll(root, 'input, textarea')) if (showsInField(field, tests)) holders.add(field);
    for (const element of innermostIn(root, tests)) holders.add(shownInstead(element));
  }
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

/**
 * The elements of one tree whose own words show a secret, or all of their words together where no child does by itself.
 * Only parts that show one are looked into: the time is that of the text and not that of the text at each level.
 */
function innermostIn(root: Document | ShadowRoot, tests: readonly SecretTest[]): Element[] {
  const isIn = (text: string | null): boolean =>
    text !== null && text !== '' && tests.some((test) => test(text, false));
  const found: Element[] = [];
  if (root instanceof ShadowRoot && !isIn(textContentOf(root))) return found;
  const waiting: ParentNode[] = [root];
  for (let parent = waiting.pop(); parent; parent = waiting.pop()) {
    const showing = childrenOf(parent).filter((child) => isIn(textContentOf(child)));
    for (const child of showing) waiting.push(child);
    const holder = parent instanceof ShadowRoot ? parent.host : parent;
    if (holder instanceof Element && (showing.length === 0 || isIn(ownWords(parent)))) found.push(holder);
  }
  return found;
}

function ownWords(parent: Node): string {
  let words = '';
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) if (node instanceof Text) words += node.data;
  return words;
}

/** An option that is chosen is shown by its list. */
function shownInstead(element: Element): Element {
  if (localNameOf(element) !== 'option') return element;
  return Element.prototype.closest.call(element, 'select') ?? element;
}
