import type { WireNode } from '../contract.ts';
import { xpathOf } from '../xpath.ts';
import type { LineList } from './line-list.ts';
import { childrenOf } from './wire-line.ts';

type Elements = readonly (Element | null)[];

/** The elements that lines come from. */
export class LinePlaces {
  readonly #elementsByLines = new Map<readonly WireNode[], Elements>();

  /** Remembers where lines come from, of which some may have been left out since they were collected. */
  note(lines: readonly WireNode[], collected: LineList): void {
    this.#elementsByLines.set(lines, elementsOf(lines, collected));
  }

  /** The XPath of each line's element, each line before those below it; see `FrameTreeSnapshot.places`. */
  pathsOf(lines: readonly WireNode[], holder: Element): (number | string)[] {
    const paths = new SharedBeginnings();
    this.#write(lines, holder, paths);
    return paths.written;
  }

  // Lines are never nested deeper than the walk lets them.
  #write(lines: readonly WireNode[], holder: Element, paths: SharedBeginnings): void {
    const elements = this.#elementsByLines.get(lines) ?? [];
    for (const [index, line] of lines.entries()) {
      const element = elements[index] ?? holder;
      paths.write(xpathOf(element));
      if (typeof line !== 'string') this.#write(childrenOf(line), element, paths);
    }
  }
}

/** Texts of which each begins as the one before: how many characters they share, then the rest. */
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

/** The elements of lines by those that were collected: the same in the same order, or fewer. */
export function elementsOf(lines: readonly WireNode[], collected: LineList): Elements {
  if (lines === collected.lines) return collected.elements;
  const elements: (Element | null)[] = [];
  for (const [index, line] of collected.lines.entries())
    if (isSameLine(lines[elements.length], line)) elements.push(collected.elements[index] ?? null);
  return elements;
}

// A line of which something below was left out is another object with the same head.
function isSameLine(line: WireNode | undefined, collected: WireNode): boolean {
  if (line === collected) return true;
  if (typeof line !== 'object' || typeof collected === 'string') return false;
  return line[0] === collected[0] && line[1] === collected[1] && line[2] === collected[2];
}
