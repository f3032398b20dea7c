import type { FramePart, FrameParts } from './frame-part.ts';
import type { RefTarget } from './snapshot.ts';

/** `urls[0]` is `#0` in the text, `urls[1]` is `#1`, and so on. */
export interface JoinedFrames {
  readonly text: string;
  readonly urls: readonly string[];
}

/**
 * Inserts the text of each frame below its frame element, with prefixed refs and page-wide URL numbers. URLs in
 * `numbered` keep their numbers.
 */
export function joinFrames(parts: FrameParts, numbered: readonly string[] = []): JoinedFrames {
  const { root, byFrameId } = parts;
  if (!root) return { text: '', urls: numbered };
  if (byFrameId.size === 1 && numbered.length === 0) return onlyFrame(parts, root);
  const joiner = new Joiner(parts, numbered);
  return { text: joiner.textOf(root), urls: joiner.urls };
}

/** A single frame keeps the numbers of its URLs, so they are read on first access: a large page has thousands. */
function onlyFrame(parts: FrameParts, root: FramePart): JoinedFrames {
  let urls: readonly string[] | undefined;
  return {
    text: new Joiner(parts, null).textOf(root),
    get urls() {
      urls ??= root.urls();
      return urls;
    },
  };
}

const MARK = '\u007F';
/** Placeholder line for a frame: newline, indentation, `f` or `c` (covered), frame ID. */
const FRAME_LINE = /\n( *)\u007F([fc])(\w+)/g;
/** A ref with role, optional level and optional name. See `Renderer` in `injected/snapshot/lines/render-lines.ts`. */
const REF_HEAD = /\u007Fe(\d+) (\S+)(?: \d+)?(?: ("(?:[^"\\]|\\.)*"))?/g;

/** Shown instead of the content of a frame that does not respond. */
const SILENT = '- (This frame does not respond. Its content is not shown.)';

const HAS_FRAME_LINE = /\u007F[fc]/;

class Joiner {
  readonly urls: string[] = [];
  readonly #numberByUrl = new Map<string, number>();
  readonly #parts: FrameParts;
  readonly #keepsNumbers: boolean;

  /** If `numbered` is `null`, URLs keep their numbers in the text of their frame. */
  constructor(parts: FrameParts, numbered: readonly string[] | null) {
    this.#parts = parts;
    this.#keepsNumbers = numbered === null;
    for (const url of numbered ?? []) this.#numberOf(url);
  }

  textOf(part: FramePart): string {
    const { text } = part.snapshot;
    const own = this.#completed(part);
    if (!HAS_FRAME_LINE.test(text)) return own.replaceAll(MARK, '');
    const whole = own.replace(FRAME_LINE, (_line, indent: string, kind: string, frameId: string) => {
      const inner = this.#frame(frameId, indent);
      return kind === 'c' ? withoutTexts(inner) : inner;
    });
    return whole.replaceAll(MARK, '');
  }

  #completed(part: FramePart): string {
    const { text } = part.snapshot;
    const numbers = this.#keepsNumbers ? [] : part.urls().map((url) => this.#numberOf(url));
    const prefix = part.refPrefix();
    if (prefix === '' && numbers.every((number, index) => number === index)) return text;
    return text.replace(/\u007F(?:#(\d+)|e)/g, (_mark, number?: string) =>
      number === undefined ? `${prefix}e` : `#${numbers[Number(number)] ?? number}`,
    );
  }

  #frame(frameId: string, indent: string): string {
    const part = this.#parts.byFrameId.get(frameId);
    const text = part ? this.textOf(part) : this.#parts.silent.has(frameId) ? SILENT : '';
    return text === '' ? '' : `\n${text}`.replaceAll('\n', `\n${indent}`);
  }

  #numberOf(url: string): number {
    const known = this.#numberByUrl.get(url);
    if (known !== undefined) return known;
    this.#numberByUrl.set(url, this.urls.length);
    return this.urls.push(url) - 1;
  }
}

// In a covered frame, only the actionable elements are kept.
function withoutTexts(text: string): string {
  return text.replace(/\n(?![^\n]*(?<![\w"])(?:f\d+)?e\d+ )[^\n]*/g, '');
}

/** Returns the actionable elements by ref, from all frames that have a line in the text. */
export function refsIn(parts: FrameParts): ReadonlyMap<string, RefTarget> {
  const refs = new Map<string, RefTarget>();
  for (const part of shownParts(parts, parts.root)) {
    const { frame, world } = part;
    for (const [, number = '', role = '', name] of part.snapshot.text.matchAll(REF_HEAD)) {
      const ref = Number(number);
      const key = `${part.refPrefix()}e${number}`;
      // If a select has the same options as an earlier one, its line contains the ref of that one. Only the first
      // occurrence of a ref is the element itself.
      if (refs.has(key)) continue;
      refs.set(key, {
        frame,
        world,
        ref,
        role,
        name: name === undefined ? '' : (JSON.parse(name) as string),
      });
    }
    for (const folded of foldedIn(part)) {
      const key = `${part.refPrefix()}e${folded.ref}`;
      if (!refs.has(key)) refs.set(key, { frame, world, ...folded });
    }
  }
  return refs;
}

/** Returns the refs that expand a fold, from all frames that have a line in the text. */
export function foldRefsIn(parts: FrameParts): ReadonlySet<string> {
  const refs = new Set<string>();
  for (const part of shownParts(parts, parts.root))
    for (const { ref } of foldedIn(part)) refs.add(`${part.refPrefix()}e${ref}`);
  return refs;
}

function* foldedIn({ snapshot: { folded } }: FramePart): Generator<Pick<RefTarget, 'ref' | 'role' | 'name'>> {
  if (!folded) return;
  const { ranges, roleNumbers, roles } = folded;
  const names = folded.names.split('\n');
  let position = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    const last = ranges[index + 1] ?? 0;
    for (let ref = ranges[index] ?? 0; ref <= last; ref += 1, position += 1)
      yield { ref, role: roles[roleNumbers[position] ?? -1] ?? '', name: names[position] ?? '' };
  }
}

/**
 * Yields a part and, recursively, the parts of the frames with a line in it. A frame without a document has no part.
 */
export function* shownParts(parts: FrameParts, part: FramePart | undefined): Generator<FramePart> {
  if (!part) return;
  yield part;
  for (const frameId of shownFrameIds(part)) yield* shownParts(parts, parts.byFrameId.get(frameId));
}

export function shownFrameIds({ snapshot }: FramePart): string[] {
  return Array.from(snapshot.text.matchAll(FRAME_LINE), ([, , , frameId = '']) => frameId);
}
