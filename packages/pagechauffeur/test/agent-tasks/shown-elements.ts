import { ownElementOf, type ParsedLine, parseLine } from '../../src/snapshot/parse-line.ts';
import type { Wanted } from './decision.ts';

/** A decision names something that a model was not shown. */
export class NotShownError extends Error {
  override readonly name = 'NotShownError';
}

/** An element in a text: its ref, role and name. */
interface ShownElement {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}

/** The ref of an element in the newest text that shows it; what was shown only before is remembered, as a model would. */
export function shownRef(texts: readonly string[], wanted: Wanted): string {
  for (const text of texts.toReversed()) {
    const found = bestOf(elementsIn(text, wanted.after), wanted);
    if (found) return found.ref;
  }
  const { role, name, after } = wanted;
  const where = after === undefined ? '' : ` after ${String(after)}`;
  throw new NotShownError(`No ${role} ${JSON.stringify(name)}${where} was shown. The last text was:\n${texts.at(-1)}`);
}

/** The first of the elements that has this role and name: the whole name before a part of one. */
export function bestOf<T extends Pick<ShownElement, 'role' | 'name'>>(
  elements: readonly T[],
  { role, name }: Wanted,
): T | undefined {
  const alike = elements.filter((one) => one.role === role);
  return alike.find((one) => one.name === name) ?? alike.find((one) => one.name.includes(name));
}

/** The lines from the first one on that has these words, or fits this pattern; none when no line does. */
export function linesFrom(text: string, words: string | RegExp = ''): readonly string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => (words instanceof RegExp ? words.test(line) : line.includes(words)));
  return start < 0 ? [] : lines.slice(start);
}

function elementsIn(text: string, after: Wanted['after']): readonly ShownElement[] {
  // What is gone shows nothing that could be used.
  const lines = linesFrom(text, after)
    .filter((line) => !line.startsWith('gone:'))
    .map((line) => parseLine(line.replace(/^(\s*)[*~]/, '$1')));
  return lines.flatMap((line, place) =>
    line.elements.flatMap((element) => {
      const { ref, role, name } = element;
      const isOwn = element === ownElementOf(line);
      return ref ? [{ ref, role, name: name || (isOwn && line.cells.join(' ')) || textBelow(lines, place) }] : [];
    }),
  );
}

/** The texts below a line, which say what an element without a name is. */
function textBelow(lines: readonly ParsedLine[], place: number): string {
  const below = lines.slice(place + 1);
  const end = below.findIndex(({ indent }) => indent <= (lines[place]?.indent ?? 0));
  return below
    .slice(0, end < 0 ? below.length : end)
    .flatMap(({ kind, texts }) => (kind === 'text' ? texts : []))
    .join(' ');
}
