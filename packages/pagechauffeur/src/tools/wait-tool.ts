import { DriverTimeoutError } from '../errors.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { pause } from '../util/pause.ts';
import { missingVariables, unknownRef } from './act-on-element.ts';
import { oneOf, optional, ref, text, whole } from './fields.ts';
import { foundLines } from './found-lines.ts';
import { selectorOf } from './selector-of.ts';
import { settled } from './settled.ts';
import type { ToolContext } from './tool-context.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';
import { type Tool, tool } from './tool.ts';

const MAX_WAIT_MS = 60_000;

const DEFAULT_WAIT = 10_000;

/** Waits until text or an element appears or disappears. Without either, waits until the page settles. */
export const wait: Tool = tool({
  name: 'wait',
  description: 'wait, waitGone: for text or ref.',
  kind: 'read',
  fields: {
    text: optional(text()),
    ref: optional(ref()),
    until: optional(oneOf(['there', 'gone'])),
    timeout: optional(whole(undefined, { least: 1, most: MAX_WAIT_MS })),
  },
  run: async (context, { text: words, ref: name, until = 'there', timeout: given }) => {
    if (words === undefined && name === undefined) return settled(context, 'The page has settled.');
    const refusal = missingVariables(context, words === undefined ? [] : [words]);
    if (refusal) return refusal;
    const limits = {
      timeout: Math.min(given ?? DEFAULT_WAIT, context.progress.remaining),
      signal: context.progress.signal,
    };
    const state = until === 'there' ? 'visible' : 'hidden';
    const what = words === undefined ? String(name) : JSON.stringify(words);
    if (words !== undefined) {
      const waited: AwaitedText = { words: context.variables.expand(words, 'driver'), state, ...limits };
      const timeout = given === undefined ? 0 : limits.timeout;
      const known = until === 'there' && (await findKnownText(context, { what, words: waited.words, timeout }));
      if (known) return known;
      return (await waitForText(context, waited))
        ? succeeded(what, until)
        : timedOut(what, { until, timeout: limits.timeout });
    }
    try {
      if (!(await waitForElement(context, String(name), { state, ...limits }))) return unknownRef(String(name));
      return succeeded(what, until);
    } catch (error) {
      context.progress.throwIfEnded();
      if (!(error instanceof DriverTimeoutError)) throw error;
      return timedOut(what, { until, timeout: limits.timeout });
    }
  },
});

interface Limits {
  readonly state: 'visible' | 'hidden';
  readonly timeout: number;
  readonly signal: AbortSignal;
}

interface AwaitedText extends Limits {
  readonly words: string;
}

interface RequestedText {
  readonly what: string;
  readonly words: string;
  readonly timeout: number;
}

/**
 * A model that waits for text it has already seen expects a new occurrence, or has overlooked the text. Returns the
 * position of the text if it stays and no new line with it appears. Otherwise returns `undefined`.
 */
async function findKnownText(
  context: ToolContext,
  { what, words, timeout }: RequestedText,
): Promise<ToolOutcome | undefined> {
  const { progress, page, shown } = context;
  const known = new Set(linesWith(shown?.text ?? '', words));
  if (known.size === 0) return undefined;
  const deadline = performance.now() + timeout;
  for (;;) {
    const now = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
    const lines = linesWith(now.text, words);
    if (lines.length === 0 || lines.some((line) => !known.has(line))) return undefined;
    const left = deadline - performance.now();
    if (left <= 0) return { text: alreadyShown(what, timeout), quoted: foundLines(now.text, words).text };
    await pause(progress, Math.min(left, POLL_INTERVAL_MS));
  }
}

function alreadyShown(what: string, timeout: number): string {
  const waited =
    timeout > 0 ? `no other line with it appeared within ${timeout} ms` : 'set a timeout to wait for a new one';
  return `${what} was already on the page; ${waited}. It is here:`;
}

function linesWith(shown: string, words: string): readonly string[] {
  const lines = shown.split('\n').map((line) => line.trim());
  return lines.filter((line) => isInText(line, words));
}

/** Names and values can change without a DOM mutation, so the page is polled. */
const POLL_INTERVAL_MS = 300;

/** True if the text appeared or disappeared in time. Searches all frames, including names and values of elements. */
async function waitForText(context: ToolContext, { words, state, timeout, signal }: AwaitedText): Promise<boolean> {
  const { progress } = context;
  const deadline = performance.now() + timeout;
  const ended = new AbortController();
  const limits = { state, timeout, signal: AbortSignal.any([signal, ended.signal]) };
  try {
    let shown: Promise<boolean> | undefined;
    for (;;) {
      if ((await isShown(context, words)) === (state === 'visible')) return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      const poll = pause(progress, Math.min(left, POLL_INTERVAL_MS)).then(() => false);
      if (state === 'visible') shown ??= waitUntilShown(context, { words, ...limits });
      if (await progress.race(Promise.race(shown ? [poll, shown] : [poll]))) return true;
    }
  } finally {
    ended.abort();
  }
}

async function isShown({ page, progress }: ToolContext, words: string): Promise<boolean> {
  const snapshot = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  if (isInText(snapshot.text, words)) return true;
  const inFrames = page.frames().map((frame) => frame.getByText(words).first().isVisible());
  const answers = await progress.race(Promise.allSettled(inFrames));
  return answers.some((answer) => answer.status === 'fulfilled' && answer.value);
}

/** Resolves to true when an element shows the text. Otherwise stays pending. */
function waitUntilShown({ page }: ToolContext, { words, ...limits }: AwaitedText): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  for (const frame of page.frames())
    frame
      .getByText(words)
      .first()
      .waitFor(limits)
      .then(() => resolve(true), ignoreRejection);
  return promise;
}

async function waitForElement(context: ToolContext, name: string, limits: Limits): Promise<boolean> {
  const element = context.element(name);
  if (!element) return false;
  const selector = await selectorOf(context, element);
  // The element has left the page.
  if (selector === undefined) return limits.state === 'hidden';
  await context.page.locator(selector).waitFor(limits);
  return true;
}

/** Snapshots escape quotes in names. */
function isInText(page: string, words: string): boolean {
  return page.replaceAll('\\"', '"').toLowerCase().includes(words.toLowerCase());
}

function succeeded(what: string, until: 'there' | 'gone'): ToolOutcome {
  return { text: `${what} is ${until === 'there' ? 'on the page' : 'gone'}.` };
}

function timedOut(what: string, { until, timeout }: { until: 'there' | 'gone'; timeout: number }): ToolOutcome {
  return failed(
    `${what} ${until === 'there' ? 'did not appear' : 'was still on the page'} after ${timeout} ms. Look at what the page shows instead.`,
  );
}
