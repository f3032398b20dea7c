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

/** Returns the lines of a snapshot's text, each with the index of its parent. */
export function snapshotLines({ text, refs }: Pick<Snapshot, 'text' | 'refs'>): readonly SnapshotLine[] {
  if (text === '') return [];
  const above: { depth: number; place: number }[] = [];
  const lines = text.split('\n').map((whole, place) => {
    const words = whole.trimStart();
    const depth = whole.length - words.length;
    while ((above.at(-1)?.depth ?? -1) >= depth) above.pop();
    const parent = above.at(-1)?.place ?? -1;
    above.push({ depth, place });
    const isFold = words.startsWith('… ');
    const parsed = parseLine(words);
    const ref = parsed.elements.find((element) => element.ref !== undefined && refs.has(element.ref))?.ref;
    return { text: words, key: ref ?? words, ref, parent, isFold, parsed };
  });
  for (let place = lines.length - 2; place >= 0; place -= 1) {
    const [line, next] = [lines[place], lines[place + 1]];
    if (line && next?.parent === place && ITEM.test(line.text)) line.key += ` ${next.key}`;
  }
  return lines;
}

/** Matches lines of unnamed items. They have the same text for every item. */
const ITEM = /^(?:listitem|article|row|treeitem|group|definition)$/;
