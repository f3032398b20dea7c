import { effectSentence } from '../act/act-result.ts';
import type { Turn } from '../cdp/page-lock.ts';
import type { World } from '../cdp/world.ts';
import type { BystanderReport } from '../injected/contract.ts';
import { ActionWatch } from '../page/action/action-watch.ts';
import { distinctNotes, notesOfReport, textsOf } from '../page/action/effect-note.ts';
import type { ActionEffect } from '../page/action/element-action.ts';
import { settlePage } from '../page/action/settle-page.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { withTimeout } from '../util/with-timeout.ts';
import type { ToolContext } from './tool-context.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** What is done to a page as a whole. */
interface PageDeed {
  /** What was done, in words of our own without a full stop; asked afterwards. */
  readonly done: () => string;
  readonly run: () => Promise<void>;
}

/** A page may hold very many frames; the first of them are watched. */
const MOST_FRAMES = 24;
/** A frame that does not answer within this many milliseconds is left out. */
const ANSWER_TIMEOUT_MS = 1000;

/**
 * Does something to a page that is done to no element, and tells once the page has come to rest what it did. Handlers of what comes of it
 * may act on the page meanwhile.
 */
export function actOnPage(context: ToolContext, deed: PageDeed): Promise<ToolOutcome> {
  const { progress, page } = context;
  return page.target.takeTurn(progress, `the agent's ${progress.operation}`, (turn) =>
    turn.yielding(() => actInTurn(turn, context, deed)),
  );
}

async function actInTurn(turn: Turn, context: ToolContext, { done, run }: PageDeed): Promise<ToolOutcome> {
  const { progress, page, verbs } = context;
  using watch = new ActionWatch(page.target);
  const worlds = await watchFrames(turn, context);
  await turn.inside(run);
  if (!page.isClosed()) await settlePage(progress, page.target, verbs.domSettleTimeout);
  const reports = await seenIn(turn, { context, worlds });
  const effect = effectOf(watch, reports);
  const notes = distinctNotes([...watch.notes, ...reports.flatMap(notesOfReport)]);
  const text = `${done()}. ${effectSentence(effect, notes)}`;
  return { text, effect, ...(notes.length > 0 && { quoted: textsOf(notes).join('\n') }) };
}

/** Whether anything is to be seen of a page that has no document, or is closed by now, does not matter. */
async function watchFrames({ owner }: Turn, { progress, page }: ToolContext): Promise<readonly World[]> {
  const frames = page.target.frames.frames.slice(0, MOST_FRAMES);
  const watching = frames.map(async ({ worlds }) => {
    const world = await worlds.isolated;
    await world.call('watchFromAside', owner);
    return world;
  });
  const answers = watching.map((answer) => withTimeout(ANSWER_TIMEOUT_MS, answer.catch(nothing)));
  return (await progress.race(Promise.all(answers))).filter((world) => world !== undefined);
}

async function seenIn(
  { owner: { token } }: Turn,
  { context: { progress }, worlds }: { readonly context: ToolContext; readonly worlds: readonly World[] },
): Promise<readonly BystanderReport[]> {
  const asked = worlds.map((world) =>
    withTimeout(ANSWER_TIMEOUT_MS, world.call('seenFromAside', token).catch(nothing)),
  );
  const answers = Promise.all(asked);
  answers.catch(ignoreRejection);
  return (await progress.race(answers)).filter((report) => report !== undefined);
}

function effectOf(watch: ActionWatch, reports: readonly BystanderReport[]): ActionEffect {
  if (watch.hasNavigated) return 'navigated';
  if (watch.hasOpened || reports.some(({ opened }) => opened !== undefined)) return 'opened';
  return watch.hasMoved || reports.some(({ mutations }) => mutations > 0) ? 'changed' : 'none-observed';
}

function nothing(): undefined {
  return undefined;
}
