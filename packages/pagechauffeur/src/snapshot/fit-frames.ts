import type { FrameText } from '../injected/contract.ts';
import type { FramePart } from './frame-part.ts';

/**
 * Shortens frame texts until all of them fit the budget together. The longest text is shortened first. Stops when no shorter text is left.
 */
export function fitFrames(parts: readonly FramePart[], tokenBudget: number): readonly FramePart[] {
  const choices = parts.map((part): Choice => ({
    part,
    texts: [part.snapshot, ...(part.snapshot.shorter ?? []), ...(part.frame.parent ? [NOTHING] : [])],
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

/** Text of a frame when not even one line per frame fits. */
const NOTHING: FrameText = { text: '', urls: [], tokens: 0, isFolded: true };

interface Choice {
  readonly part: FramePart;
  /** From longest to shortest. */
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
