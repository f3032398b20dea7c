import type { WireNode } from '../../contract.ts';
import { xpathOf } from '../../tree/xpath.ts';
import { isSameLine } from './collapse.ts';
import type { LineList } from './line-list.ts';
import { childrenOf } from './wire-line.ts';

type Elements = readonly (Element | null)[];
type Placed = Pick<LineList, 'lines' | 'elements'>;

export class LinePaths {
  readonly #elementsByLines = new Map<readonly WireNode[], Elements>();

  /** Stores the elements of `lines`, which may lack some of the collected lines. */
  note(lines: readonly WireNode[], collected: Placed): void {
    this.#elementsByLines.set(lines, elementsOf(lines, collected));
  }

  /** Stores the elements of the lines that remain of `all`. */
  shorten(lines: readonly WireNode[], all: readonly WireNode[]): void {
    const elements = this.#elementsByLines.get(all);
    if (elements) this.note(lines, { lines: all, elements });
  }

  /** Returns XPaths in the format of `FrameTreeSnapshot.xpaths`. */
  pathsOf(lines: readonly WireNode[], holder: Element): (number | string)[] {
    const paths = new SharedBeginnings();
    this.#write(lines, holder, paths);
    return paths.written;
  }

  // Recursion is safe, because the walk limits the nesting depth of lines.
  #write(lines: readonly WireNode[], holder: Element, paths: SharedBeginnings): void {
    const elements = this.#elementsByLines.get(lines) ?? [];
    for (const [index, line] of lines.entries()) {
      const element = elements[index] ?? holder;
      paths.write(xpathOf(element));
      if (typeof line !== 'string') this.#write(childrenOf(line), element, paths);
    }
  }
}

/** Compresses strings that share a prefix with the previous one to pairs: the length of the prefix, then the rest. */
class SharedBeginnings {
  readonly written: (number | string)[] = [];
  #last = '';

  write(text: string): void {
    const most = Math.min(text.length, this.#last.length);
    let shared = 0;
    while (shared < most && text.charCodeAt(shared) === this.#last.charCodeAt(shared)) shared += 1;
    this.written.push(shared, text.slice(shared));
    this.#last = text;
  }
}

/** `lines` is a subset of the collected lines, in the same order. */
export function elementsOf(lines: readonly WireNode[], collected: Placed): Elements {
  if (lines === collected.lines) return collected.elements;
  const elements: (Element | null)[] = [];
  for (const [index, line] of collected.lines.entries())
    if (isSameLine(lines[elements.length], line)) elements.push(collected.elements[index] ?? null);
  return elements;
}
