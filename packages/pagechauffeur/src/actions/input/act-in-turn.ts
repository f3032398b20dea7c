import type { Turn } from '../../cdp/page-lock.ts';
import type { PageTarget } from '../../cdp/page-target.ts';
import type { CallOptions, Progress } from '../../util/progress.ts';
import { beginCall, type PageSettings } from '../call-limits.ts';

export type InputWork<T> = (progress: Progress, turn: Turn) => Promise<T>;

interface InputCall {
  readonly page: PageTarget;
  readonly settings: PageSettings;
  readonly limits: CallOptions;
}

/** Runs a public input call with the page lock, so that its events do not mix with those of another action. */
export async function actInTurn<T>(
  operation: string,
  { page, settings, limits }: InputCall,
  work: InputWork<T>,
): Promise<T> {
  using progress = beginCall(operation, settings, { ...limits, gone: page.gone });
  return await page.takeTurn(progress, operation, (turn) => work(progress, turn));
}
