import { composedParent } from '../composed-tree.ts';
import { memoised } from '../memo.ts';
import { contains } from '../native.ts';
import { MOST_TEXTS, textsOf } from './row.ts';
import { withoutCount } from './sections.ts';

/** A part of the page around an element, as small as its texts allow. */
export interface Ring {
  readonly part: Element;
  /** What it says that no smaller part around the element says. */
  readonly texts: readonly string[];
}

interface Known {
  readonly name: string;
  readonly sections: readonly string[];
}

/** The parts of the page around an element, from the nearest outward, as long as they say little enough to be told. */
export function ringsOf(element: Element, { name, sections }: Known): readonly Ring[] {
  const rings: Ring[] = [];
  const told = new Set<string>();
  let heldInside: ReturnType<typeof textsOf> | undefined;
  for (let part = composedParent(element); part; part = composedParent(part)) {
    const held = textsOf(part);
    // It only wraps the part before, as do most of the parts that lie deep in others.
    if (held === heldInside) continue;
    heldInside = held;
    const own = held.filter(({ holder }) => !contains(element, holder)).map(({ text }) => text);
    const texts = [...new Set(own)].filter(
      (text) => !told.has(text) && text !== name && !sections.includes(withoutCount(text)),
    );
    if (held.length >= MOST_TEXTS * 2 || told.size + texts.length > MOST_TEXTS) break;
    for (const text of texts) told.add(text);
    if (texts.length > 0) rings.push({ part, texts });
  }
  return rings;
}

/** How many of the parts around an element, counted from the nearest, have no other of these elements in them. */
export function ownRings(rings: readonly Ring[], elements: readonly Element[]): number {
  const counts = countsByPart(elements);
  const first = rings.findIndex(({ part }) => counts.get(part) !== 1);
  return first < 0 ? rings.length : first;
}

/** How many of the elements each part of the page has in it. */
const countsByPart: (elements: readonly Element[]) => ReadonlyMap<Element, number> = memoised(
  (elements: readonly Element[]) => {
    const counts = new Map<Element, number>();
    for (const element of elements)
      for (let part = composedParent(element); part; part = composedParent(part))
        counts.set(part, (counts.get(part) ?? 0) + 1);
    return counts;
  },
);
