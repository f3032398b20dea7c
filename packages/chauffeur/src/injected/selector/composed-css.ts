import { composedParent } from '../composed-tree.ts';
import { matches } from '../native.ts';
import { scanTopLevel, splitTopLevel } from './scan.ts';

type Combinator = ' ' | '>' | '+' | '~';

interface Compound {
  readonly selector: string;
  /** How it relates to the compound before it. */
  readonly combinator: Combinator;
}

/**
 * A test whether an element matches a CSS selector whose combinators reach across shadow roots, so that
 * `x-card button` finds a button inside the card's shadow root. Compounds themselves are the browser's.
 */
export function compileComposedSelector(selector: string): (element: Element) => boolean {
  const alternatives = splitTopLevel(selector, ',').map(compoundsOf);
  return (element) =>
    alternatives.some((compounds) => compounds.length > 1 && matchesFrom(element, compounds, compounds.length - 1));
}

function matchesFrom(element: Element, compounds: readonly Compound[], index: number): boolean {
  const compound = compounds[index];
  if (!compound || !matchesCompound(element, compound.selector)) return false;
  return (
    index === 0 ||
    relatives(element, compound.combinator).some((relative) => matchesFrom(relative, compounds, index - 1))
  );
}

// A compound such as `::slotted(a)` or a nested error matches nothing; the whole selector was checked before.
function matchesCompound(element: Element, selector: string): boolean {
  return selector !== '' && CSS.supports(`selector(${selector})`) && matches(element, selector);
}

function relatives(element: Element, combinator: Combinator): Element[] {
  if (combinator === '+' || combinator === '~')
    return siblingsBefore(element, combinator === '+' ? 1 : Number.POSITIVE_INFINITY);
  const parent = composedParent(element);
  if (!parent) return [];
  return combinator === '>' ? [parent] : [parent, ...relatives(parent, ' ')];
}

function siblingsBefore(element: Element, limit: number): Element[] {
  const siblings: Element[] = [];
  for (
    let sibling = element.previousElementSibling;
    sibling && siblings.length < limit;
    sibling = sibling.previousElementSibling
  ) {
    siblings.push(sibling);
  }
  return siblings;
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
