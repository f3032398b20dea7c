import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError, ProtocolError } from '../cdp/protocol-error.ts';
import type { MainWorld } from '../cdp/main-world.ts';
import type { World } from '../cdp/world.ts';
import { DriverClosedError } from '../errors.ts';
import type { SuggestionState } from '../injected/contract.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import type { ActionTrace } from './action-trace.ts';
import type { ActionTarget, ElementAction, ReadyElement } from './element-action.ts';
import { hasDelegatedListener } from '../snapshot/delegated-listeners.ts';
import { settleAfterAction, settleDocument, type SettleOutcome } from './settle-page.ts';

/** Time in ms after the text for suggestions to appear. */
const SUGGESTIONS_TIMEOUT_MS = 1000;
/** Pages with suggestions listen for one of these events. */
const TEXT_EVENTS: ReadonlySet<string> = new Set(['input', 'keyup']);

/** CDP object groups, released right after use. */
const LISTENER_GROUP = 'listeners';
const DELEGATION_GROUP = 'delegation';

/** Only `fill` and `type` wait for suggestions, and only if the caller uses the effect. */
export function awaitsSuggestions({
  method,
  isReported = true,
  settleTimeout,
  requiredSettle,
}: ElementAction): boolean {
  return (
    (method === 'fill' || method === 'type') && isReported && settleTimeout > 0 && requiredSettle?.motion !== 'arrival'
  );
}

/**
 * Returns true if the page listens for `input` or `keyup` on the element, also through event delegation. Returns
 * `undefined` if the element does not exist yet or its document is gone. The query runs over CDP, so the page cannot
 * observe it.
 */
export async function listensToText({ frame, world, element }: ActionTarget): Promise<boolean | undefined> {
  return unlessLost(async () => {
    const asked = world ?? (await frame.worlds.isolated);
    return isListening(asked, asked.callForNodeId('element', element), frame.worlds.main);
  });
}

async function unlessLost<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof DocumentGoneError || error instanceof ProtocolError || error instanceof DriverClosedError)
      return undefined;
    throw error;
  }
}

/** Listeners in shadow roots need a second query: `getEventListeners` on the document does not return them. */
async function listensInShadow({ world, element: { ref } }: ReadyElement): Promise<boolean> {
  const { session } = world;
  const backendNodeId = await world.callForNodeId('element', { ref });
  if (backendNodeId === undefined) return false;
  // Without an execution context, the node is resolved in the page's main world.
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
  // Needs a handle of the page's main world. With one of another world, Chromium 156 crashes the renderer.
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
  /** The result of {@link listensToText}. `undefined` if the action does not wait for suggestions. */
  readonly listens: Promise<boolean | undefined> | undefined;
  /** When sending of the text began, in `performance.now()` time. */
  readonly sentAt: number;
}

/** Waits for delayed reactions to text, such as debounced suggestions. Adds their reports to `settled`. */
export async function settleSuggestions(settled: SettleOutcome, typed: Typed): Promise<SettleOutcome> {
  const { progress, page, ready, trace, action, sentAt } = typed;
  let outcome = settled;
  if (!(await mayShowSuggestions(typed))) return outcome;
  for (;;) {
    const left = Math.min(sentAt + SUGGESTIONS_TIMEOUT_MS - performance.now(), progress.remaining);
    if (left <= 0 || !outcome.isQuiet || trace.hasNavigated) return outcome;
    const state = await suggestionState(progress, ready, left);
    // A pending request may bring suggestions. `settleAfterAction` waits for its response, even beyond the 1 s.
    if (state === 'there' || (state !== 'coming' && !trace.isBusy)) return outcome;
    const { settleTimeout: timeout, requiredSettle } = action;
    const { owner } = ready.turn;
    const settling = { owner, timeout, eventTimeout: 0, keepsWatching: true, ...requiredSettle };
    const more = await settleAfterAction(progress, {
      page,
      frame: ready.frame,
      trace,
      owner,
      first: settleDocument(progress, ready.world, settling),
      timeout,
      requiredSettle,
    });
    outcome = { reports: [...outcome.reports, ...more.reports], isQuiet: more.isQuiet };
  }
}

/** Suggestions are possible if the field declares a popup or the page listens for its text events. */
async function mayShowSuggestions({ ready, listens, progress }: Typed): Promise<boolean> {
  if (!listens || ready.textEntry !== 'keys') return false;
  if (ready.hasPopup) return true;
  const { frame, world, element, target, isInShadow } = ready;
  if (isInShadow) return (await progress.race(unlessLost(() => listensInShadow(ready)))) ?? false;
  // `listens` has no result if, for example, the element did not exist yet. Then query the listeners now.
  const known =
    (await progress.race(listens)) ?? listensToText({ ...target, frame, world, element: { ref: element.ref } });
  return (await progress.race(Promise.resolve(known))) ?? false;
}

async function suggestionState(
  progress: Progress,
  { world, turn: { owner } }: ReadyElement,
  timeout: number,
): Promise<SuggestionState | undefined> {
  try {
    return await world
      .start('awaitSuggestions', { owner, timeout })
      .within(progress, { timeout: timeout + ANSWER_GRACE_MS });
  } catch (error) {
    if (error instanceof DocumentGoneError || error instanceof DriverClosedError) return undefined;
    throw error;
  }
}

const ANSWER_GRACE_MS = 1000;
