import { invisibilityOf } from '../acting/actionability.ts';
import { inDocumentOrder } from '../tree/composed-walk.ts';
import { rootOf } from '../native.ts';
import { engineMessage, invalidSelector, type QueryOutcome } from './outcome.ts';
import type { FilterEngine, SelectorPart } from './parse-selector.ts';
import { parseTextTest, textOf } from './text.ts';

export type FindInside = (root: ParentNode, selector: string) => QueryOutcome;
type Test = (element: Element) => boolean;

/** `find` resolves selectors inside the filter. */
export function filterElements(
  elements: readonly Element[],
  { engine, body, source }: SelectorPart & { readonly engine: FilterEngine },
  find: FindInside,
): QueryOutcome {
  try {
    const test = TESTS[engine](body.trim(), find);
    return { kind: 'elements', elements: elements.filter(test) };
  } catch (error) {
    if (error instanceof Refusal) return error.outcome;
    return invalidSelector(`"${source}" cannot be parsed: ${engineMessage(error)}`);
  }
}

const TESTS: Readonly<Record<FilterEngine, (body: string, find: FindInside) => Test>> = {
  has: (body, find) => (element) => foundIn(find, element, selectorIn(body)).length > 0,
  'has-not': (body, find) => (element) => foundIn(find, element, selectorIn(body)).length === 0,
  'has-text': (body) => {
    const passes = parseTextTest(body);
    return (element) => passes(textOf(element));
  },
  'has-not-text': (body) => {
    const passes = parseTextTest(body);
    return (element) => !passes(textOf(element));
  },
  visible: (body) => (element) => (invisibilityOf(element) === null) === (body !== 'false'),
  and: (body, find) => {
    const others = new Set(foundIn(find, document, selectorIn(body)));
    return (element) => others.has(element);
  },
  light: () => (element) => rootOf(element) === document,
};

/** Adds the matches of another selector. Returns all elements in document order. */
export function unite(elements: readonly Element[], body: string, find: FindInside): QueryOutcome {
  try {
    const others = foundIn(find, document, selectorIn(body));
    return { kind: 'elements', elements: inDocumentOrder(new Set([...elements, ...others])) };
  } catch (error) {
    if (error instanceof Refusal) return error.outcome;
    return invalidSelector(`"or=${body}" cannot be parsed: ${engineMessage(error)}`);
  }
}

/** Thrown if a nested selector fails, to end the filter with its outcome. */
class Refusal extends Error {
  readonly outcome: QueryOutcome;

  constructor(outcome: QueryOutcome) {
    super();
    this.outcome = outcome;
  }
}

function foundIn(find: FindInside, root: ParentNode, selector: string): readonly Element[] {
  const outcome = find(root, selector);
  if (outcome.kind === 'elements') return outcome.elements;
  if (outcome.kind === 'frame' || outcome.kind === 'no-frame')
    throw new Refusal(
      invalidSelector(
        `The inner selector ${selector} enters a frame. Use one that stays in the same frame as the outer selector.`,
      ),
    );
  if (outcome.kind === 'no-shadow-root') return [];
  throw new Refusal(outcome);
}

function selectorIn(body: string): string {
  const selector: unknown = JSON.parse(body);
  return typeof selector === 'string' ? selector : body;
}
