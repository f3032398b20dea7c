import { composedParent } from '../tree/composed-tree.ts';
import { memoised } from '../memo.ts';
import { contains } from '../native.ts';
import { MAX_TEXTS, textsOf } from './row.ts';
import { withoutCount } from './sections.ts';

/** An ancestor with text that no inner ancestor contains. */
export interface Ring {
  readonly part: Element;
  readonly texts: readonly string[];
}

interface Known {
  readonly name: string;
  readonly sections: readonly string[];
}

/** Returns rings nearest first, with at most `MAX_TEXTS` strings in total. */
export function ringsOf(element: Element, { name, sections }: Known): readonly Ring[] {
  const rings: Ring[] = [];
  const seen = new Set<string>();
  let heldInside: ReturnType<typeof textsOf> | undefined;
  for (let part = composedParent(element); part; part = composedParent(part)) {
    const held = textsOf(part);
    // In deep trees, most ancestors only wrap the previous one and add no text.
    if (held === heldInside) continue;
    heldInside = held;
    const own = held.filter(({ holder }) => !contains(element, holder)).map(({ text }) => text);
    const texts = [...new Set(own)].filter(
      (text) => !seen.has(text) && text !== name && !sections.includes(withoutCount(text)),
    );
    if (held.length >= MAX_TEXTS * 2 || seen.size + texts.length > MAX_TEXTS) break;
    for (const text of texts) seen.add(text);
    if (texts.length > 0) rings.push({ part, texts });
  }
  return rings;
}

/** Returns how many of the innermost rings contain none of the other elements. */
export function ownRings(rings: readonly Ring[], elements: readonly Element[]): number {
  const counts = countsByPart(elements);
  const first = rings.findIndex(({ part }) => counts.get(part) !== 1);
  return first < 0 ? rings.length : first;
}

const countsByPart: (elements: readonly Element[]) => ReadonlyMap<Element, number> = memoised(
  (elements: readonly Element[]) => {
    const counts = new Map<Element, number>();
    for (const element of elements)
      for (let part = composedParent(element); part; part = composedParent(part))
        counts.set(part, (counts.get(part) ?? 0) + 1);
    return counts;
  },
);
