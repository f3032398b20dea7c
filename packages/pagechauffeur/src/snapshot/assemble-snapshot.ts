import type { FrameNode } from '../cdp/frame-node.ts';
import type { FramePart, FrameParts } from './frame-part.ts';
import { joinFrames, refsIn, shownParts } from './join-frames.ts';
import type { FoldedThing, FoldedThings, RefTarget, Snapshot, SnapshotOptions, TreeOptions } from './snapshot.ts';
import { type StitchedFrames, stitchFrames } from './stitch-frames.ts';
import type { FoldedRun, FrameText } from '../injected/contract.ts';

/** The snapshot parts of all frames. */
interface TakenParts {
  readonly parts: readonly FramePart[];
  /** IDs of frames that did not respond. */
  readonly silent: ReadonlySet<string>;
}

/**
 * Joins the parts of all frames into one snapshot. A large page can have tens of thousands of refs, so refs, nodes and
 * folded items are computed on first access.
 */
export function assembleSnapshot(
  rootFrame: FrameNode,
  { parts: unfitted, silent }: TakenParts,
  { tokenBudget = Infinity, earlier }: SnapshotOptions & TreeOptions,
): Snapshot {
  const all = fitFrames(unfitted, tokenBudget);
  const byFrameId = new Map(all.map((part) => [part.frame.id, part]));
  const parts: FrameParts = { root: byFrameId.get(rootFrame.id), byFrameId, silent };
  let stitched: StitchedFrames | undefined;
  let refs: ReadonlyMap<string, RefTarget> | undefined;
  let foldedThings: FoldedThings | undefined;
  const world = parts.root?.world;
  const numbered = earlier && earlier.world === world ? earlier.urls : [];
  const { text, urls } = joinFrames(parts, numbered);
  const linesBehindModal = parts.root?.snapshot.linesBehindModal ?? 0;
  return {
    world,
    url: parts.root?.snapshot.url ?? rootFrame.url,
    title: parts.root?.snapshot.title ?? '',
    text: linesBehindModal === 0 ? text : `${text}\n${behindModalLine(linesBehindModal)}`,
    linesBehindModal,
    urls,
    tokens: all.reduce((sum, part) => sum + part.snapshot.tokens, 0),
    isFolded: all.some(({ snapshot }) => snapshot.isFolded),
    elementCount: all.reduce((sum, part) => sum + part.snapshot.elementCount, 0),
    frame: rootFrame,
    get nodes() {
      stitched ??= stitchFrames(parts);
      return stitched.nodes;
    },
    get places() {
      stitched ??= stitchFrames(parts);
      return stitched.places;
    },
    get refs() {
      refs ??= refsIn(parts);
      return refs;
    },
    get foldedThings() {
      foldedThings ??= foldedThingsIn(parts);
      return foldedThings;
    },
  };
}

/**
 * Shortens the texts of frames until all of them together fit the budget. Always shortens the longest one. Stops if no
 * frame has a shorter text.
 */
function fitFrames(parts: readonly FramePart[], tokenBudget: number): readonly FramePart[] {
  const choices = parts.map((part): Choice => ({
    part,
    texts: [part.snapshot, ...(part.snapshot.shorter ?? []), ...(part.frame.parent ? [NO_TEXT] : [])],
    at: 0,
  }));
  let tokens = choices.reduce((sum, choice) => sum + tokensOf(choice), 0);
  while (tokens > tokenBudget) {
    const longest = longestThatCanShrink(choices);
    if (!longest) break;
    tokens -= tokensOf(longest);
    longest.at += 1;
    tokens += tokensOf(longest);
  }
  return choices.map(({ part, texts, at }) => (at === 0 ? part : part.withText(texts[at] ?? part.snapshot)));
}

/** Text of a frame if the budget does not even allow one line per frame. */
const NO_TEXT: FrameText = { text: '', urls: [], tokens: 0, isFolded: true };

interface Choice {
  readonly part: FramePart;
  /** Longest first. */
  readonly texts: readonly FrameText[];
  at: number;
}

function tokensOf({ texts, at }: Choice): number {
  return texts[at]?.tokens ?? 0;
}

function longestThatCanShrink(choices: readonly Choice[]): Choice | undefined {
  const able = choices.filter(({ texts, at }) => at < texts.length - 1);
  return able.reduce<Choice | undefined>(
    (longest, choice) => (longest && tokensOf(longest) >= tokensOf(choice) ? longest : choice),
    undefined,
  );
}

// The line starts with `…`, like the line of a fold, because page text never starts a line with it.
function behindModalLine(count: number): string {
  return `… ${count} more ${count === 1 ? 'line' : 'lines'} of the page behind the dialog, inactive until it closes`;
}

/** Number of characters in a digest; see `injected/snapshot/fold-digests.ts`. */
const DIGEST_LENGTH = 6;

/** Returns the items of folded lists in all frames of the text. */
function foldedThingsIn(parts: FrameParts): FoldedThings {
  const byRef = new Map<string, FoldedThing>();
  const byHolder = new Map<string, FoldedThing[]>();
  for (const part of shownParts(parts, parts.root)) {
    const prefix = part.refPrefix();
    for (const run of part.snapshot.runs ?? []) {
      const unnamed: FoldedThing[] = [];
      let ref = 0;
      for (const [place, thing] of thingsIn(run).entries()) {
        const step = run.steps[place] ?? 0;
        ref += step;
        if (step === 0) unnamed.push(thing);
        else byRef.set(`${prefix}e${ref}`, thing);
      }
      const holder = `${prefix}e${run.holder}`;
      if (unnamed.length > 0) byHolder.set(holder, [...(byHolder.get(holder) ?? []), ...unnamed]);
    }
  }
  return { byRef, byHolder };
}

function thingsIn({ steps, digests, folded }: FoldedRun): FoldedThing[] {
  const things = steps.map((_, place) => ({
    digest: digests.slice(place * DIGEST_LENGTH, (place + 1) * DIGEST_LENGTH),
    isShown: true,
  }));
  for (let pair = 0; pair < folded.length; pair += 2)
    for (let place = folded[pair] ?? 0; place < (folded[pair + 1] ?? 0); place += 1) {
      const thing = things[place];
      if (thing) thing.isShown = false;
    }
  return things;
}
