import { DriverTimeoutError } from '../errors.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import type { Progress } from '../util/progress.ts';
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
    try {
      if (words !== undefined) await textWaited(context, { words: context.variables.expand(words), state, ...limits });
      else if (!(await elementWaited(context, String(name), { state, ...limits }))) return unknownRef(String(name));
      return { text: `${what} is ${until === 'there' ? 'in the page' : 'gone'}.` };
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

/** A text may be in any frame, and be a name or a value that no element holds as text. */
async function textWaited(context: ToolContext, { words, ...limits }: Limits & { words: string }): Promise<void> {
  const { page, progress } = context;
  const isThere = async (): Promise<boolean> => isInText(await wholeText(progress, context), words);
  if ((await isThere()) === (limits.state === 'visible')) return;
  const ended = new AbortController();
  const inFrames = page.frames().map((frame) =>
    frame
      .getByText(words)
      .first()
      .waitFor({ ...limits, signal: AbortSignal.any([limits.signal, ended.signal]) }),
  );
  try {
    await progress.race<unknown>(limits.state === 'visible' ? Promise.any(inFrames) : Promise.all(inFrames));
  } catch (error) {
    progress.throwIfEnded();
    if ((await isThere()) === (limits.state === 'visible')) return;
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    ended.abort();
  }
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

async function wholeText(progress: Progress, { page }: ToolContext): Promise<string> {
  return (await takeSnapshot(progress, page.target, { tokenBudget: Infinity })).text;
}

function isInText(page: string, words: string): boolean {
  return page.toLowerCase().includes(words.toLowerCase());
}

function stillWaiting(what: string, { until, timeout }: { until: 'there' | 'gone'; timeout: number }): ToolOutcome {
  return failed(
    `${what} ${until === 'there' ? 'did not appear' : 'was still there'} after ${timeout} ms. See what the page shows instead.`,
  );
}
