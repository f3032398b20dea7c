import type { FoldedRun } from '../injected/contract.ts';
import type { FrameParts } from './frame-part.ts';
import { shownParts } from './join-frames.ts';
import type { FoldedThing, FoldedThings } from './snapshot.ts';

/** Characters per digest. See `injected/snapshot/fold-digests.ts`. */
const DIGITS = 6;

/** Items of folded lists in all shown frames. */
export function foldedThingsIn(parts: FrameParts): FoldedThings {
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
    digest: digests.slice(place * DIGITS, (place + 1) * DIGITS),
    isShown: true,
  }));
  for (let pair = 0; pair < folded.length; pair += 2)
    for (let place = folded[pair] ?? 0; place < (folded[pair + 1] ?? 0); place += 1) {
      const thing = things[place];
      if (thing) thing.isShown = false;
    }
  return things;
}
