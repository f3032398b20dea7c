import { type ParsedLine, parseLine } from './parse-line.ts';
import type { Snapshot } from './snapshot.ts';

/** A line of a snapshot, with a key to find it in another snapshot. */
export interface SnapshotLine {
  readonly text: string;
  /**
   * The first ref in the line, else the text of the line. For an unnamed item, also the key of its first child line.
   */
  readonly key: string;
  readonly ref: string | undefined;
  /** Index of the parent line; -1 if there is none. */
  readonly parent: number;
  readonly isFold: boolean;
  readonly parsed: ParsedLine;
}

export function snapshotLines({ text, refs }: Pick<Snapshot, 'text' | 'refs'>): readonly SnapshotLine[] {
  if (text === '') return [];
  const above: { depth: number; index: number }[] = [];
  const lines = text.split('\n').map((whole, index) => {
    const words = whole.trimStart();
    const depth = whole.length - words.length;
    while ((above.at(-1)?.depth ?? -1) >= depth) above.pop();
    const parent = above.at(-1)?.index ?? -1;
    above.push({ depth, index });
    const isFold = words.startsWith('… ');
    const parsed = parseLine(words);
    const ref = parsed.elements.find((element) => element.ref !== undefined && refs.has(element.ref))?.ref;
    return { text: words, key: ref ?? words, ref, parent, isFold, parsed };
  });
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    const [line, next] = [lines[index], lines[index + 1]];
    if (line && next?.parent === index && ITEM.test(line.text)) line.key += ` ${next.key}`;
  }
  return lines;
}

/** Unnamed items, such as `listitem`, all have the same line. */
const ITEM = /^(?:listitem|article|row|treeitem|group|definition)$/;
