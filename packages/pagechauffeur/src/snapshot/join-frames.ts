import type { FramePart, FrameParts } from './frame-part.ts';
import type { RefTarget } from './snapshot.ts';

/** A snapshot's lines, and the addresses that stand in them as `#0`, `#1`, … */
export interface JoinedFrames {
  readonly text: string;
  readonly urls: readonly string[];
}

/**
 * Puts each frame's text below the line of its frame element, names its refs and numbers its addresses across frames; those
 * that have a number already keep it.
 */
export function joinFrames(parts: FrameParts, numbered: readonly string[] = []): JoinedFrames {
  const joiner = new Joiner(parts, numbered);
  return { text: parts.root ? joiner.textOf(parts.root) : '', urls: joiner.urls };
}

const MARK = '\u007F';
/** A line that stands for a frame: the line break before it, how deep it stands, whether it is covered, the browser's id of the frame. */
const FRAME_LINE = /\n( *)\u007F([fc])(\w+)/g;
/** A ref with its role and, after a level, its name; see `Renderer` in `injected/snapshot/render-lines.ts`. */
const REF_HEAD = /\u007Fe(\d+) (\S+)(?: \d+)?(?: ("(?:[^"\\]|\\.)*"))?/g;

/** Stands for the content of a frame that does not answer. */
const SILENT = '- (This frame does not answer. What is in it is not shown.)';

const HAS_FRAME_LINE = /\u007F[fc]/;

class Joiner {
  readonly urls: string[] = [];
  readonly #numberByUrl = new Map<string, number>();
  readonly #parts: FrameParts;

  constructor(parts: FrameParts, numbered: readonly string[]) {
    this.#parts = parts;
    for (const url of numbered) this.#numberOf(url);
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

  /** The lines with the frame's prefix at each ref and each address by its number in the whole page. */
  #completed(part: FramePart): string {
    const { text, urls } = part.snapshot;
    const numbers = urls.map((url) => this.#numberOf(part.address(url)));
    const prefix = part.refPrefix();
    if (prefix === '' && numbers.every((number, index) => number === index)) return text;
    return text.replace(/\u007F(?:#(\d+)|e)/g, (_mark, number?: string) =>
      number === undefined ? `${prefix}e` : `#${numbers[Number(number)]}`,
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

// Of what nobody sees only what can be acted on is told.
function withoutTexts(text: string): string {
  return text.replace(/\n(?![^\n]*(?<![\w"])(?:f\d+)?e\d+ )[^\n]*/g, '');
}

/** The elements that can be acted on, by the refs that stand in the text, frame by frame. */
export function refsIn(parts: FrameParts): ReadonlyMap<string, RefTarget> {
  const refs = new Map<string, RefTarget>();
  for (const part of shownParts(parts, parts.root)) {
    const { frame, world } = part;
    for (const [, number = '', role = '', name] of part.snapshot.text.matchAll(REF_HEAD)) {
      const ref = Number(number);
      const key = `${part.refPrefix()}e${number}`;
      // Options may be told by the ref of an element before that has the same ones.
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

/** The elements that a frame's text folds away. */
function* foldedIn({ snapshot: { folded } }: FramePart): Generator<Pick<RefTarget, 'ref' | 'role' | 'name'>> {
  if (!folded) return;
  const { ranges, roleNumbers, roles } = folded;
  const names = folded.names.split('\n');
  let place = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    const last = ranges[index + 1] ?? 0;
    for (let ref = ranges[index] ?? 0; ref <= last; ref += 1, place += 1)
      yield { ref, role: roles[roleNumbers[place] ?? -1] ?? '', name: names[place] ?? '' };
  }
}

/** A part and those below it whose frames have a line; a frame without a document has no part. */
export function* shownParts(parts: FrameParts, part: FramePart | undefined): Generator<FramePart> {
  if (!part) return;
  yield part;
  for (const frameId of shownFrameIds(part)) yield* shownParts(parts, parts.byFrameId.get(frameId));
}

/** The browser's ids of the frames that have a line in a part. */
export function shownFrameIds({ snapshot }: FramePart): string[] {
  return Array.from(snapshot.text.matchAll(FRAME_LINE), ([, , , frameId = '']) => frameId);
}
