import { DriverTimeoutError } from '../errors.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { handledElsewhere } from '../util/deferred.ts';
import { pause } from '../util/pause.ts';
import { missingVariables, unknownRef } from './act-on-element.ts';
import { oneOf, optional, ref, text, whole } from './fields.ts';
import { selectorOf } from './selector-of.ts';
import { settled } from './settled.ts';
import type { ToolContext } from './tool-context.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

/** The longest wait of one call, in milliseconds. */
const LONGEST_WAIT = 60_000;

/** Waits for a text or an element to come or go, or for the page to come to rest. */
export const wait: Tool = tool({
  name: 'wait',
  description:
    'Waits until a text or an element is there, or gone; without either until the page has come to rest, which every other tool does by itself.',
  kind: 'read',
  fields: {
    text: optional(text()),
    ref: optional(ref()),
    until: optional(oneOf(['there', 'gone'], 'default there')),
    timeout: optional(whole('ms, default 10000', { least: 1, most: LONGEST_WAIT })),
  },
  run: async (context, { text: words, ref: name, until = 'there', timeout = 10_000 }) => {
    if (words === undefined && name === undefined) return settled(context, 'The page has come to rest.');
    const refusal = missingVariables(context, words === undefined ? [] : [words]);
    if (refusal) return refusal;
    const limits = { timeout: Math.min(timeout, context.progress.remaining), signal: context.progress.signal };
    const state = until === 'there' ? 'visible' : 'hidden';
    const what = words === undefined ? String(name) : JSON.stringify(words);
    if (words !== undefined) {
      const isAsWaited = await textWaited(context, { words: context.variables.expand(words), state, ...limits });
      return isAsWaited ? come(what, until) : stillWaiting(what, { until, timeout: limits.timeout });
    }
    try {
      if (!(await elementWaited(context, String(name), { state, ...limits }))) return unknownRef(String(name));
      return come(what, until);
    } catch (error) {
      context.progress.throwIfEnded();
      if (!(error instanceof DriverTimeoutError)) throw error;
      return stillWaiting(what, { until, timeout: limits.timeout });
    }
  },
});

interface Limits {
  readonly state: 'visible' | 'hidden';
  readonly timeout: number;
  readonly signal: AbortSignal;
}

interface WaitedText extends Limits {
  readonly words: string;
}

/** Names and values of elements change without anything that tells of it, so the page is read for them now and then. */
const LOOK_EVERY_MS = 300;

/** Whether a text came, or went, in time. It may be in any frame, and be a name or a value that no element holds as text. */
async function textWaited(context: ToolContext, { words, state, timeout, signal }: WaitedText): Promise<boolean> {
  const { progress } = context;
  const deadline = performance.now() + timeout;
  const ended = new AbortController();
  const limits = { state, timeout, signal: AbortSignal.any([signal, ended.signal]) };
  try {
    let shown: Promise<boolean> | undefined;
    for (;;) {
      if ((await isThere(context, words)) === (state === 'visible')) return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      const look = pause(progress, Math.min(left, LOOK_EVERY_MS)).then(() => false);
      if (state === 'visible') shown ??= textShown(context, { words, ...limits });
      if (await progress.race(Promise.race(shown ? [look, shown] : [look]))) return true;
    }
  } finally {
    ended.abort();
  }
}

async function isThere({ page, progress }: ToolContext, words: string): Promise<boolean> {
  const snapshot = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  if (isInText(snapshot.text, words)) return true;
  const inFrames = page.frames().map((frame) => frame.getByText(words).first().isVisible());
  const answers = await progress.race(Promise.allSettled(inFrames));
  return answers.some((answer) => answer.status === 'fulfilled' && answer.value);
}

/** Settles with true as soon as an element shows the text; never when none does in time. */
function textShown({ page }: ToolContext, { words, ...limits }: WaitedText): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  for (const frame of page.frames())
    frame
      .getByText(words)
      .first()
      .waitFor(limits)
      .then(() => resolve(true), handledElsewhere);
  return promise;
}

async function elementWaited(context: ToolContext, name: string, limits: Limits): Promise<boolean> {
  const element = context.element(name);
  if (!element) return false;
  const selector = await selectorOf(context, element);
  // What has left the page has no selector any more.
  if (selector === undefined) return limits.state === 'hidden';
  await context.page.locator(selector).waitFor(limits);
  return true;
}

/** Quotes in what the page says are escaped where it is quoted itself. */
function isInText(page: string, words: string): boolean {
  return page.replaceAll('\\"', '"').toLowerCase().includes(words.toLowerCase());
}

function come(what: string, until: 'there' | 'gone'): ToolOutcome {
  return { text: `${what} is ${until === 'there' ? 'in the page' : 'gone'}.` };
}

function stillWaiting(what: string, { until, timeout }: { until: 'there' | 'gone'; timeout: number }): ToolOutcome {
  return failed(
    `${what} ${until === 'there' ? 'did not appear' : 'was still there'} after ${timeout} ms. See what the page shows instead.`,
  );
}
