import type { FrameNode } from '../cdp/frame-node.ts';
import type { FramePart, FrameParts } from './frame-part.ts';
import { foldRefsIn, joinFrames, refsIn, shownParts } from './join-frames.ts';
import type { FoldedItem, FoldedItems, RefTarget, Snapshot, SnapshotOptions, TreeOptions } from './snapshot.ts';
import { type StitchedFrames, stitchFrames } from './stitch-frames.ts';
import type { FoldedRun, FrameText } from '../injected/contract.ts';

interface TakenParts {
  readonly parts: readonly FramePart[];
  readonly silent: ReadonlySet<string>;
}

/**
 * Joins the parts of all frames. URLs, refs, nodes and folds are computed on first access, because a large page can
 * have tens of thousands of refs.
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
  let foldRefs: ReadonlySet<string> | undefined;
  let foldedItems: FoldedItems | undefined;
  const world = parts.root?.world;
  const numbered = earlier && earlier.world === world ? earlier.urls : [];
  const joined = joinFrames(parts, numbered);
  const { text } = joined;
  const linesBehindModal = parts.root?.snapshot.linesBehindModal ?? 0;
  return {
    world,
    url: parts.root?.snapshot.url ?? rootFrame.url,
    title: parts.root?.snapshot.title ?? '',
    text: linesBehindModal === 0 ? text : `${text}\n${behindModalLine(linesBehindModal)}`,
    linesBehindModal,
    get urls() {
      return joined.urls;
    },
    tokens: all.reduce((sum, part) => sum + part.snapshot.tokens, 0),
    isFolded: all.some(({ snapshot }) => snapshot.isFolded),
    elementCount: all.reduce((sum, part) => sum + part.snapshot.elementCount, 0),
    frame: rootFrame,
    get nodes() {
      stitched ??= stitchFrames(parts);
      return stitched.nodes;
    },
    get xpaths() {
      stitched ??= stitchFrames(parts);
      return stitched.xpaths;
    },
    get refs() {
      refs ??= refsIn(parts);
      return refs;
    },
    get foldRefs() {
      foldRefs ??= foldRefsIn(parts);
      return foldRefs;
    },
    get foldedItems() {
      foldedItems ??= foldedItemsIn(parts);
      return foldedItems;
    },
  };
}

/**
 * Replaces the longest frame text by its next shorter version until all of them fit the budget, or no frame has a
 * shorter one.
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

/** Last resort for a child frame, if the budget does not even allow one line per frame. */
const NO_TEXT: FrameText = { text: '', urls: '', tokens: 0, isFolded: true };

interface Choice {
  readonly part: FramePart;
  /** Versions of the frame's text, longest first. */
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

// Page text never starts a line with `…`, so the line is read as a fold.
function behindModalLine(count: number): string {
  return `… ${count} more ${count === 1 ? 'line' : 'lines'} of the page behind the dialog, inactive until it closes`;
}

/** Length of a digest in characters; see `injected/snapshot/folding/fold-digests.ts`. */
const DIGEST_LENGTH = 6;

function foldedItemsIn(parts: FrameParts): FoldedItems {
  const byRef = new Map<string, FoldedItem>();
  const byHolder = new Map<string, FoldedItem[]>();
  for (const part of shownParts(parts, parts.root)) {
    const prefix = part.refPrefix();
    for (const run of part.snapshot.runs ?? []) {
      const unnamed: FoldedItem[] = [];
      let ref = 0;
      for (const [index, item] of itemsIn(run).entries()) {
        const step = run.steps[index] ?? 0;
        ref += step;
        if (step === 0) unnamed.push(item);
        else byRef.set(`${prefix}e${ref}`, item);
      }
      const holder = `${prefix}e${run.holder}`;
      if (unnamed.length > 0) byHolder.set(holder, [...(byHolder.get(holder) ?? []), ...unnamed]);
    }
  }
  return { byRef, byHolder };
}

function itemsIn({ steps, digests, folded }: FoldedRun): FoldedItem[] {
  const items = steps.map((_, index) => ({
    digest: digests.slice(index * DIGEST_LENGTH, (index + 1) * DIGEST_LENGTH),
    isShown: true,
  }));
  for (let pair = 0; pair < folded.length; pair += 2)
    for (let index = folded[pair] ?? 0; index < (folded[pair + 1] ?? 0); index += 1) {
      const item = items[index];
      if (item) item.isShown = false;
    }
  return items;
}
