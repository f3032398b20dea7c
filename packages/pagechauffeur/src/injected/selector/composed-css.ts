import { composedParent } from '../tree/composed-tree.ts';
import { matches, previousElementOf } from '../native.ts';
import { scanTopLevel, splitTopLevel } from './scan.ts';

type Combinator = ' ' | '>' | '+' | '~';

interface Compound {
  readonly selector: string;
  readonly combinator: Combinator;
}

/**
 * Lets combinators cross shadow roots: `x-card button` matches a button in the card's shadow root. The browser matches
 * the individual compounds.
 */
export function compileComposedSelector(selector: string): (element: Element) => boolean {
  const tests = splitTopLevel(selector, ',')
    .map(compoundsOf)
    .filter((compounds) => compounds.length > 1 && compounds.every(isUsable))
    .map((compounds) => new ComposedTest(compounds));
  return (element) => tests.some((test) => test.holds(element));
}

// The browser accepted the whole selector, but a single compound may be empty or unsupported.
function isUsable({ selector }: Compound): boolean {
  return selector !== '' && CSS.supports(`selector(${selector})`);
}

/**
 * For each compound: whether the selector up to it matches the element (`own`), an ancestor (`ancestors`), or a previous
 * sibling (`before`).
 */
interface Reach {
  readonly own: readonly boolean[];
  readonly ancestors: readonly boolean[];
  readonly before: readonly boolean[];
}

/** One complex selector, without commas. Results are cached per element, so the time is linear. */
class ComposedTest {
  readonly #compounds: readonly Compound[];
  readonly #looksAtSiblings: boolean;
  readonly #reaches = new Map<Element, Reach>();

  constructor(compounds: readonly Compound[]) {
    this.#compounds = compounds;
    this.#looksAtSiblings = compounds.some(({ combinator }) => combinator === '+' || combinator === '~');
  }

  holds(element: Element): boolean {
    const last = this.#compounds.at(-1);
    return last !== undefined && matches(element, last.selector) && this.#reachOf(element).own.at(-1) === true;
  }

  #reachOf(element: Element): Reach {
    let reach: Reach | undefined;
    const waiting = [element];
    for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
      const [parent, sibling] = this.#relativesOf(next);
      if (parent && !this.#reaches.has(parent)) waiting.push(parent);
      else if (sibling && !this.#reaches.has(sibling)) waiting.push(sibling);
      else {
        reach = this.#look(next, this.#known(parent), this.#known(sibling));
        this.#reaches.set(next, reach);
        waiting.pop();
      }
    }
    return reach ?? NOWHERE;
  }

  #known(element: Element | null): Reach | undefined {
    return element ? this.#reaches.get(element) : undefined;
  }

  #relativesOf(element: Element): readonly [parent: Element | null, sibling: Element | null] {
    return [composedParent(element), this.#looksAtSiblings ? previousElementOf(element) : null];
  }

  #look(element: Element, above: Reach = NOWHERE, beside: Reach = NOWHERE): Reach {
    const reach = { own: [] as boolean[], ancestors: [] as boolean[], before: [] as boolean[] };
    for (const [index, { selector, combinator }] of this.#compounds.entries()) {
      const follows = index === 0 || isRelated(combinator, index - 1, { above, beside });
      reach.own.push(follows && matches(element, selector));
      reach.ancestors.push(above.own[index] === true || above.ancestors[index] === true);
      reach.before.push(beside.own[index] === true || beside.before[index] === true);
    }
    return reach;
  }
}

const NOWHERE: Reach = { own: [], ancestors: [], before: [] };

function isRelated(
  combinator: Combinator,
  index: number,
  { above, beside }: { readonly above: Reach; readonly beside: Reach },
): boolean {
  switch (combinator) {
    case ' ':
      return above.own[index] === true || above.ancestors[index] === true;
    case '>':
      return above.own[index] === true;
    case '+':
      return beside.own[index] === true;
    case '~':
      return beside.own[index] === true || beside.before[index] === true;
  }
}

function compoundsOf(complex: string): Compound[] {
  const compounds: Compound[] = [];
  let start = 0;
  let combinator: Combinator = ' ';
  const text = complex.trim();
  scanTopLevel(text, (index) => {
    const found = /^\s*([>+~\s])\s*/.exec(text.slice(index));
    if (!found) return undefined;
    compounds.push({ selector: text.slice(start, index), combinator });
    combinator = (found[1] ?? ' ').trim() === '' ? ' ' : (found[1] as Combinator);
    start = index + found[0].length;
    return found[0].length;
  });
  compounds.push({ selector: text.slice(start), combinator });
  return compounds;
}
