import { ExtractTimeoutError } from '../errors.ts';
import { settlePage } from '../actions/settle-page.ts';
import type { Snapshot, TreeOptions } from '../snapshot/snapshot.ts';
import { logScopeFrame, takeSnapshot } from '../snapshot/take-snapshot.ts';
import { Progress } from '../util/progress.ts';
import { VERB_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import type { AnyExtractOptions } from './extract-options.ts';

export interface ExtractCall {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly options: AnyExtractOptions;
}

/** Starts the timeout and listens to the abort signals of a call. */
export function beginExtract(context: VerbContext, { timeout = VERB_TIMEOUT_MS, signal }: AnyExtractOptions): Progress {
  return new Progress({
    operation: 'extract',
    timeout,
    signals: [signal, context.signal, context.page.target.gone],
    obstacle: () => context.page.target.obstacle,
    timeoutError: ExtractTimeoutError,
  });
}

/** Waits until the page settles, then reads it. */
export async function readSettledPage(call: ExtractCall, wanted: TreeOptions): Promise<Snapshot> {
  const { progress, context } = call;
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  return readPage(call, wanted);
}

/**
 * Reads the page or the element that `selector` names, without waiting until the page settles. Folds nothing, because
 * folded content cannot be extracted.
 */
export async function readPage({ progress, context, options }: ExtractCall, wanted: TreeOptions): Promise<Snapshot> {
  const { selector, ignoreSelectors } = options;
  const snapshot = await takeSnapshot(progress, context.page.target, {
    ...(selector === undefined ? {} : { selector }),
    ...(ignoreSelectors === undefined ? {} : { ignoreSelectors }),
    ...wanted,
  });
  logScopeFrame(context.log, { verb: 'extract', selector, snapshot });
  return snapshot;
}
