import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError, ProtocolError } from '../cdp/protocol-error.ts';
import type { MainWorld } from '../cdp/main-world.ts';
import type { World } from '../cdp/world.ts';
import { DriverClosedError } from '../errors.ts';
import type { SuggestionState } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import type { ActionTrace } from './action-trace.ts';
import type { ActionTarget, ElementAction, ReadyElement } from './element-action.ts';
import { hasDelegatedListener } from '../snapshot/delegated-listeners.ts';
import { nextWaitId } from './prepare-target.ts';
import { settleAfterAction, settleDocument, type SettleOutcome } from './settle-page.ts';

/** What a field brings later than this many milliseconds after text was typed into it is no part of the typing. */
const BROUGHT_WITHIN_MS = 1000;
/** Events by which a page hears of each change of a text. */
const TEXT_EVENTS: ReadonlySet<string> = new Set(['input', 'keyup']);

/** What the browser names is let go at once. */
const LISTENER_GROUP = 'listeners';
const DELEGATION_GROUP = 'delegation';

/** Whether somebody wants to see what text that is typed brings; who does something else next does not wait for it. */
export function awaitsSuggestions({ method, isReported = true, settleTimeout, rest }: ElementAction): boolean {
  return (method === 'fill' || method === 'type') && isReported && settleTimeout > 0 && rest?.motion !== 'arrival';
}

/**
 * Whether the page itself listens to the text of an element; undefined when it is not there yet. The browser is asked, which the page
 * does not notice, at the same time as the page is asked to make the element ready.
 */
export async function listensToText({ frame, world, element }: ActionTarget): Promise<boolean | undefined> {
  return unlessLost(async () => {
    const asked = world ?? (await frame.worlds.isolated);
    return isListening(asked, asked.callForNodeId('element', element), frame.worlds.main);
  });
}

/** What cannot be found out any more, because the document or the page is gone, is not known. */
async function unlessLost<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof DocumentGoneError || error instanceof ProtocolError || error instanceof DriverClosedError)
      return undefined;
    throw error;
  }
}

/** Listeners in shadow roots are not among those below the document: the field itself is asked about, one round trip later. */
async function listensInShadow({ world, element: { ref } }: ReadyElement): Promise<boolean> {
  const { session } = world;
  const backendNodeId = await world.callForNodeId('element', { ref });
  if (backendNodeId === undefined) return false;
  // Without a context it is the page's own world that names the node.
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, objectGroup: LISTENER_GROUP });
  const asked = session.send('DOMDebugger.getEventListeners', { objectId: object.objectId ?? '' });
  session.send('Runtime.releaseObjectGroup', { objectGroup: LISTENER_GROUP }).catch(ignoreRejection);
  const { listeners } = await asked;
  return listeners.some(({ type }) => TEXT_EVENTS.has(type));
}

async function isListening(
  { session }: World,
  node: Promise<number | undefined>,
  main: Promise<MainWorld>,
): Promise<boolean | undefined> {
  const [backendNodeId, { objectId }] = await Promise.all([node, main.then((world) => world.document(LISTENER_GROUP))]);
  // Asked in the page's own world. With `pierce` the browser names listeners of every world, and Chromium 156 then crashes the renderer.
  const asked = session.send('DOMDebugger.getEventListeners', { objectId, depth: -1 });
  session.send('Runtime.releaseObjectGroup', { objectGroup: LISTENER_GROUP }).catch(ignoreRejection);
  const { listeners } = await asked;
  if (backendNodeId === undefined) return undefined;
  const ofText = listeners.filter(({ type }) => TEXT_EVENTS.has(type));
  if (ofText.some((listener) => listener.backendNodeId === backendNodeId)) return true;
  if (ofText.length === 0) return false;
  const isDelegated = hasDelegatedListener(session, backendNodeId, DELEGATION_GROUP);
  isDelegated.catch(ignoreRejection).finally(() => {
    session.send('Runtime.releaseObjectGroup', { objectGroup: DELEGATION_GROUP }).catch(ignoreRejection);
  });
  return isDelegated;
}

interface Typed {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly ready: ReadyElement;
  readonly trace: ActionTrace;
  readonly action: ElementAction;
  /** Whether the page listens to the field; undefined when nobody wants to know what it brings. */
  readonly listens: Promise<boolean | undefined> | undefined;
  /** When the text was sent, on `performance.now()`'s clock. */
  readonly sentAt: number;
}

/** Waits for what a field brings of itself a moment after its text was typed, such as suggestions that the page puts off. */
export async function settleSuggestions(settled: SettleOutcome, typed: Typed): Promise<SettleOutcome> {
  const { progress, page, ready, trace, action, sentAt } = typed;
  let outcome = settled;
  if (!(await mayBringMore(typed))) return outcome;
  for (;;) {
    const left = Math.min(sentAt + BROUGHT_WITHIN_MS - performance.now(), progress.remaining);
    if (left <= 0 || !outcome.isQuiet || trace.hasNavigated) return outcome;
    const state = await suggestionState(progress, ready, left);
    // What the field has asked a server for belongs to it, however late the answer is.
    if (state === 'there' || (state !== 'coming' && !trace.isBusy)) return outcome;
    const { settleTimeout: timeout, rest } = action;
    const { owner } = ready.turn;
    const settling = { owner, timeout, eventTimeout: 0, keepsWatching: true, ...rest };
    const more = await settleAfterAction(progress, {
      page,
      frame: ready.frame,
      trace,
      owner,
      first: settleDocument(progress, ready.world, settling),
      timeout,
      rest,
    });
    outcome = { reports: [...outcome.reports, ...more.reports], isQuiet: more.isQuiet };
  }
}

/** A field may do so that says it has a popup, or to which the page listens. */
async function mayBringMore({ ready, listens, progress }: Typed): Promise<boolean> {
  if (!listens || ready.textEntry !== 'keys') return false;
  if (ready.hasPopup) return true;
  const { frame, world, element, target, isInShadow } = ready;
  if (isInShadow) return (await progress.race(unlessLost(() => listensInShadow(ready)))) ?? false;
  // An element that came only while it was waited for is asked about now.
  const known =
    (await progress.race(listens)) ?? listensToText({ ...target, frame, world, element: { ref: element.ref } });
  return (await progress.race(Promise.resolve(known))) ?? false;
}

async function suggestionState(
  progress: Progress,
  { world, turn: { owner } }: ReadyElement,
  timeout: number,
): Promise<SuggestionState | undefined> {
  const waitId = nextWaitId();
  try {
    return await progress.race(
      withTimeout(timeout + ANSWER_GRACE_MS, world.call('awaitSuggestions', { owner, timeout, waitId })),
    );
  } catch (error) {
    if (error instanceof DocumentGoneError || error instanceof DriverClosedError) return undefined;
    throw error;
  } finally {
    if (progress.hasEnded) world.call('cancel', waitId).catch(ignoreRejection);
  }
}

/** How late an answer of the page may be on a busy machine. */
const ANSWER_GRACE_MS = 1000;
