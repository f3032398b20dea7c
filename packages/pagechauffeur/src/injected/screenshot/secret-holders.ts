import { shadowRootsBelow } from '../tree/composed-walk.ts';
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

/** Shorter secrets occur in too many words, so they match only a field with exactly this value. */
const SHORTEST_IN_TEXT = 3;

const inputTypeOf = getter<HTMLInputElement, string>(HTMLInputElement.prototype, 'type');

/**
 * Returns the innermost elements whose text or value contains a secret, ignoring white space, punctuation and case.
 * Does not find generated content or encoded forms.
 */
export function secretHolders(secrets: readonly string[]): Element[] {
  const tests = secrets.map(secretTest);
  const holders = new Set<Element>();
  for (const root of [document, ...shadowRootsBelow(document)]) {
    for (const field of queryAll(root, 'input, textarea')) if (showsInField(field, tests)) holders.add(field);
    for (const element of innermostIn(root, tests)) holders.add(shownInstead(element));
  }
  return [...holders];
}

/** `isField`: the text is the whole value of a field. */
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

/** Password fields show only dots. */
function fieldValue(element: Element): string | null {
  if (element instanceof HTMLInputElement) return inputTypeOf(element) === 'password' ? null : inputValueOf(element);
  return element instanceof HTMLTextAreaElement ? areaValueOf(element) : null;
}

/**
 * Returns the innermost elements in one tree whose text contains a secret. Descends only into such elements, so the
 * time is linear in the text.
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
    if (holder instanceof Element && (showing.length === 0 || isIn(ownText(parent)))) found.push(holder);
  }
  return found;
}

function ownText(parent: Node): string {
  let text = '';
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) if (node instanceof Text) text += node.data;
  return text;
}

/** Returns the `select` of an option, because a closed `select` shows the text of its option. */
function shownInstead(element: Element): Element {
  if (localNameOf(element) !== 'option') return element;
  return Element.prototype.closest.call(element, 'select') ?? element;
}
