import { styleOf } from '../../styles/computed-style.ts';
import { measured } from '../../dependencies.ts';
import { firstChildOf, nextSiblingOf, parentElementOf } from '../../native.ts';
import { newRange } from '../../native-document.ts';

/** As a fraction of the line's height. Spaces are about twice as wide. */
const MIN_GAP = 1 / 6;

/** Characters after which no space is written, such as an opening bracket. */
const OPENING = /[\s\p{Ps}\p{Pi}"'/@#-]$/u;
/** Characters before which no space is written. A minus sign belongs to the number after it. */
const CLOSING = /^(?:[\s\p{Pe}\p{Pf}.,;:!?"'/]|-(?!\d))/u;

/** True if users may see words on both sides of the boundary between two texts. */
export function mayBeTwoWords(before: string, after: string): boolean {
  return before !== '' && !OPENING.test(before.slice(-2)) && !CLOSING.test(after);
}

/** Maximum gaps to measure in one text. Measuring a character takes longer in a long paragraph. */
const MAX_MEASURED = 60;

/** Finds the gaps in one text. */
export class TextGaps {
  #measuredCount = 0;
  readonly #byStyle = new Map<object, boolean>();

  /** `style`: that of the box between the texts. Its first box decides for the others in the text. */
  isApart(style: object, last: Text | Element, next: Text | Element): boolean {
    const known = this.#byStyle.get(style);
    if (known !== undefined || this.#measuredCount === MAX_MEASURED) return known ?? false;
    this.#measuredCount += 1;
    const isGap = isApart(last, next);
    this.#byStyle.set(style, isGap);
    return isGap;
  }
}

/** True if users see a gap or a line break between two texts. An element stands for the text in it. */
function isApart(last: Text | Element, next: Text | Element): boolean {
  const before = last instanceof Text ? last : textIn(last, 'last');
  const after = next instanceof Text ? next : textIn(next, 'first');
  return before !== null && after !== null && measured(after, isAfterGap, before);
}

function textIn(element: Element, position: 'first' | 'last'): Text | null {
  let found: Text | null = null;
  for (let node = firstChildOf(element); node; node = nextSiblingOf(node)) {
    if (!(node instanceof Text) || node.data.trim() === '') continue;
    if (position === 'first') return node;
    found = node;
  }
  return found;
}

function isAfterGap(after: Text, before: Text | undefined): boolean {
  if (!before) return false;
  const [one, other] = [boxAt(before, before.data.trimEnd().length - 1), boxAt(after, after.data.search(/\S/))];
  if (!one || !other) return false;
  const isVertical = !isHorizontal(after);
  const [across, along] = isVertical ? (['left', 'top'] as const) : (['top', 'left'] as const);
  const [farSide, end] = isVertical ? (['right', 'bottom'] as const) : (['bottom', 'right'] as const);
  const height = Math.min(one[farSide] - one[across], other[farSide] - other[across]);
  const shared = Math.min(one[farSide], other[farSide]) - Math.max(one[across], other[across]);
  if (shared < height / 2) return true;
  return Math.max(other[along] - one[end], one[along] - other[end]) > height * MIN_GAP;
}

function isHorizontal(text: Text): boolean {
  const parent = parentElementOf(text);
  return parent === null || styleOf(parent).writingMode.startsWith('horizontal');
}

/** Returns the box of a character; `null` if it is not rendered. */
function boxAt(text: Text, index: number): DOMRect | null {
  if (index < 0) return null;
  const range = newRange();
  const isSecondHalf = /[\uDC00-\uDFFF]/.test(text.data.charAt(index));
  range.setStart(text, isSecondHalf ? index - 1 : index);
  range.setEnd(text, Math.min(text.data.length, index + (/[\uD800-\uDBFF]/.test(text.data.charAt(index)) ? 2 : 1)));
  const box = range.getBoundingClientRect();
  return box.height === 0 ? null : box;
}
