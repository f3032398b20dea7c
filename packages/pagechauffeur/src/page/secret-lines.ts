import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { Session } from '../cdp/session.ts';
import { orDocumentGone } from '../cdp/document-loss.ts';
import type { Box } from '../injected/contract.ts';
import { openClosedRoots } from '../cdp/closed-roots.ts';
import type { ValueMask } from '../util/value-mask.ts';
import { boxInPage, boxOnPage } from './page-box.ts';
import type { PreparedPage } from './screenshot-preparation.ts';
import { PAINTED_STYLES, paintedTexts, type PaintedText, type TextBox } from './painted-text.ts';

/** A painted line of text that shows a variable value. */
export interface SecretLine {
  /** Box in the page's viewport. */
  readonly box: Box;
  readonly frame: FrameNode;
  /** `backendNodeId` of the element that contains the text. */
  readonly element: number;
}

/** Lines that show variable values. A line has the same key in each measurement while its text node stays the same. */
export type SecretLines = ReadonlyMap<string, SecretLine>;

interface FrameText extends PaintedText {
  readonly frame: FrameNode;
  readonly scroll: { readonly x: number; readonly y: number };
  /** Pixels in `boxes` per CSS pixel of the frame's local root. */
  readonly scale: () => Promise<number>;
}

/**
 * Finds the painted text that shows a variable value, in every form that `ValueMask` recognizes. On a large page, finds
 * only elements whose own text or value shows one.
 */
export async function findSecretLines(page: PageTarget, mask: ValueMask, prepared: PreparedPage): Promise<SecretLines> {
  if (mask.isEmpty) return new Map();
  if (prepared.isLarge) return findSecretElements(page, mask, prepared);
  const texts = await textsOfPage(page);
  const found = new Map<string, Promise<SecretLine | null>>();
  for (const lines of [inDocumentOrder(texts), ...linesOnScreen(texts)])
    for (const [text, part] of boxesIn(lines, mask)) {
      const key = `${text.frame.id} ${text.node} ${part.start}`;
      if (!found.has(key)) found.set(key, secretLine(text, part));
    }
  const secretLines = await Promise.all([...found].map(async ([key, line]) => [key, await line] as const));
  return new Map(secretLines.flatMap(([key, line]) => (line ? [[key, line]] : [])));
}

async function findSecretElements(page: PageTarget, mask: ValueMask, { frames }: PreparedPage): Promise<SecretLines> {
  const found = frames.map(async ({ frame, world }): Promise<readonly (readonly [string, SecretLine])[]> => {
    try {
      await openClosedRoots(world);
      const refs = await world.call('secretHolders', mask.values);
      const lines = refs.map(async (ref) => {
        const [box, element] = await Promise.all([
          boxInPage(page, world, ref),
          world.callForNodeId('element', { ref }),
        ]);
        return box && element !== undefined ? ([`${frame.id} ${ref}`, { box, frame, element }] as const) : undefined;
      });
      return (await Promise.all(lines)).filter((line) => line !== undefined);
    } catch (error) {
      // A frame that no longer exists is not in the screenshot either.
      if (error instanceof DocumentGoneError && frame.parent) return [];
      throw error;
    }
  });
  return new Map((await Promise.all(found)).flat());
}

async function secretLine({ frame, element, scroll, scale }: FrameText, part: TextBox): Promise<SecretLine | null> {
  const { x, y, width, height } = part.box;
  const ratio = await scale();
  const shown = { x: (x - scroll.x) / ratio, y: (y - scroll.y) / ratio, width: width / ratio, height: height / ratio };
  const box = await boxOnPage(frame, inked(shown));
  return box && { box, frame, element };
}

/** Glyphs may extend beyond their line box by this fraction of its shorter side. */
const OVERHANG = 0.25;

function inked({ x, y, width, height }: Box): Box {
  const more = Math.ceil(Math.min(width, height) * OVERHANG);
  return { x: x - more, y: y - more, width: width + 2 * more, height: height + 2 * more };
}

async function textsOfPage(page: PageTarget): Promise<FrameText[]> {
  const frameById = new Map(page.frames.frames.map((frame) => [frame.id, frame]));
  const sessions = new Set(page.frames.frames.map(({ session }) => session));
  const texts = await Promise.all([...sessions].map((session) => textsOfProcess(page, session, frameById)));
  return texts.flat();
}

/**
 * Returns the painted text of all frames in one process; `[]` if the process is gone, because the screenshot does not
 * show its frames.
 */
async function textsOfProcess(
  page: PageTarget,
  session: Session,
  frameById: ReadonlyMap<string, FrameNode>,
): Promise<FrameText[]> {
  try {
    const asked = session.send('DOMSnapshot.captureSnapshot', { computedStyles: PAINTED_STYLES });
    const { documents, strings } = await orDocumentGone(session, asked);
    let asking: Promise<number> | undefined;
    const scale = (): Promise<number> => (asking ??= scaleOf(session, documents[0]?.layout.bounds[0]));
    return documents.flatMap((document) => {
      const frame = frameById.get(strings[document.frameId] ?? '');
      if (!frame) return [];
      const scroll = { x: document.scrollOffsetX ?? 0, y: document.scrollOffsetY ?? 0 };
      return paintedTexts(document, strings).map((text) => ({ ...text, frame, scroll, scale }));
    });
  } catch (error) {
    if (error instanceof DocumentGoneError && session !== page.session) return [];
    throw error;
  }
}

/** On some screens, DOM snapshots report device pixels instead of CSS pixels. Returns the ratio of the two. */
async function scaleOf(session: Session, [, , width = 0]: readonly number[] = []): Promise<number> {
  const { cssLayoutViewport } = await session.send('Page.getLayoutMetrics');
  const { clientWidth } = cssLayoutViewport;
  return width > 0 && clientWidth > 0 ? width / clientWidth : 1;
}

/** A part of the searched text, and the text node or control that it is from. */
interface Piece {
  readonly text: string;
  readonly owner: FrameText;
  /** Offset of the piece in `owner.text`. */
  readonly offset: number;
  /** Separator from the previous piece. */
  readonly before: string;
  /** Closing quote of a field. */
  readonly after?: string;
}

/**
 * Writes the text in the format of a snapshot, which `ValueMask` can parse: one line per block, and one per control.
 */
function inDocumentOrder(texts: readonly FrameText[]): Piece[] {
  let last: FrameText | undefined;
  return texts.flatMap((owner) => {
    const isSameBlock = last?.kind === owner.kind && last.frame === owner.frame && last.block === owner.block;
    last = owner;
    const text = owner.text.replaceAll(/\s/g, ' ');
    const before = STARTS[owner.kind];
    if (owner.kind === 'text' || owner.kind === 'pressed')
      return [{ text, owner, offset: 0, before: isSameBlock ? '' : before }];
    const quoted = text.replaceAll(/["\\]/g, ' ');
    const field = { text: quoted, owner, offset: 0, before, after: '"' };
    // The field's text without its quotes and backslashes may not match, so the original text is searched too.
    return quoted === text ? [field] : [field, { text, owner, offset: 0, before: '\n' }];
  });
}

const LINE = '\n- ';
const BUTTON = '\n- button "';
/**
 * Prefixes of lines. `ValueMask` recognizes a field by its prefix, and does not join a button's name with other text.
 */
const STARTS = { text: LINE, pressed: BUTTON, field: '\n- textbox = "', label: BUTTON };

/** Orders each frame's text by position: from top to bottom, then from left to right. */
function linesOnScreen(texts: readonly FrameText[]): Piece[][] {
  const byFrame = Map.groupBy(
    texts.filter(({ kind }) => kind === 'text'),
    ({ frame }) => frame,
  );
  return [...byFrame.values()].map(linesOfFrame);
}

/** Minimum gap between words and between columns, in line heights. */
const WORD_GAP = 0.15;
const COLUMN_GAP = 2;

function linesOfFrame(texts: readonly FrameText[]): Piece[] {
  const parts = texts.flatMap((owner) => owner.boxes.map((part) => ({ owner, part, middle: middleOf(part.box) })));
  parts.sort((one, other) => one.middle - other.middle);
  let line = Number.NEGATIVE_INFINITY;
  const placed = parts.map((part) => {
    if (part.middle - line > part.part.box.height / 2) line = part.middle;
    return { ...part, line };
  });
  placed.sort((one, other) => one.line - other.line || one.part.box.x - other.part.box.x);
  return placed.map(({ owner, part, line: own }, index) => {
    const previous = placed[index - 1];
    const gap = previous?.line === own ? gapBetween(previous.part.box, part.box) : Number.POSITIVE_INFINITY;
    const before = gap > COLUMN_GAP ? LINE : gap > WORD_GAP ? ' ' : '';
    return { text: owner.text.slice(part.start, part.end).replaceAll(/\s/g, ' '), owner, offset: part.start, before };
  });
}

function middleOf({ y, height }: Box): number {
  return y + height / 2;
}

function gapBetween(left: Box, right: Box): number {
  return (right.x - left.x - left.width) / Math.min(left.height, right.height);
}

/** Yields the boxes of all pieces that show a value. */
function* boxesIn(pieces: readonly Piece[], mask: ValueMask): Generator<readonly [FrameText, TextBox]> {
  let text = '';
  const starts = pieces.map((piece) => {
    text += piece.before;
    const start = text.length;
    text += piece.text + (piece.after ?? '');
    return start;
  });
  const ranges = mask.rangesIn(text);
  let first = 0;
  for (const [index, { text: words, owner, offset }] of pieces.entries()) {
    const start = starts[index] ?? 0;
    const end = start + words.length;
    while ((ranges[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first += 1;
    for (let at = first; (ranges[at]?.start ?? Number.POSITIVE_INFINITY) < end; at += 1) {
      const range = ranges[at] ?? { start: 0, end: 0 };
      const [from, to] = [range.start - start + offset, range.end - start + offset];
      for (const box of owner.boxes)
        if (owner.kind === 'field' || (box.start < to && box.end > from)) yield [owner, box];
    }
  }
}
