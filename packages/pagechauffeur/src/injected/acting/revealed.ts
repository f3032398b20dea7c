import { attributeOf, localNameOf, queryAll } from '../native.ts';
import { isOverlay } from './overlay.ts';

/** Maximum number of descendants to check in a revealed part. */
const LOOKED_AT = 300;
/** Class name parts that show or hide an element. */
const SHOWING =
  /(?:^|[-_])(?:open|opened|opening|show|shown|showing|showed|active|visible|expanded|displayed|enter|in|on|block|flex)$/i;
const HIDING =
  /(?:^|[-_])(?:hidden|hide|hiding|closed|closing|close|collapsed?|invisible|inactive|none|leave|out|off)$/i;
const HIDDEN_STYLE = /(?:display:\s*none|visibility:\s*hidden|opacity:\s*0(?:[;\s]|$)|scale\(0)/i;
const HIDDEN_STATES: ReadonlySet<string | null> = new Set(['closed', 'false', 'hidden', 'collapsed']);
const STATES: ReadonlySet<string> = new Set([
  'data-state',
  'data-open',
  'data-show',
  'data-visible',
  'data-expanded',
  'open',
]);

/**
 * Returns the overlay that an attribute change of the element revealed, such as a menu that its class or style shows; null if there is
 * none.
 */
export function revealedBy(element: Element, before: ReadonlyMap<string, string | null>): Element | null {
  if (['html', 'body'].includes(localNameOf(element)) || !shows(element, before)) return null;
  return overlayIn([element]) ?? null;
}

/** Returns the first overlay in these parts, which are visible now and were not before. */
export function overlayIn(parts: readonly Element[]): Element | undefined {
  for (const part of parts)
    for (const element of [part, ...queryAll(part, '*').slice(0, LOOKED_AT)])
      if (isOverlay(element, part)) return element;
  return undefined;
}

function shows(element: Element, before: ReadonlyMap<string, string | null>): boolean {
  for (const [name, old] of before) {
    const now = attributeOf(element, name);
    if (name === 'hidden' && old !== null && now === null) return true;
    if (name === 'style' && HIDDEN_STYLE.test(old ?? '') && !HIDDEN_STYLE.test(now ?? '')) return true;
    if (name === 'class' && hasShowingClass(old ?? '', now ?? '')) return true;
    if (name === 'style' && old === null && now !== null && /display:\s*(?!none)\w/.test(now)) return true;
    if (STATES.has(name) && (old === null || HIDDEN_STATES.has(old)) && now !== null && !HIDDEN_STATES.has(now))
      return true;
  }
  return false;
}

function hasShowingClass(old: string, now: string): boolean {
  const [before, after] = [new Set(old.split(/\s+/)), new Set(now.split(/\s+/))];
  return (
    [...after].some((word) => !before.has(word) && SHOWING.test(word)) ||
    [...before].some((word) => !after.has(word) && HIDING.test(word))
  );
}
