import type { PageTarget } from '../cdp/page-target.ts';
import type { SentEntry } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import type { KeySequence } from './input/key-events.ts';
import type { ElementAction, ReadyElement } from './element-action.ts';

/** Input of `ActionMethod.run`. */
export interface MethodCall {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly ready: ReadyElement;
  readonly action: ElementAction;
  /** Keys to send, which only this element can receive. `undefined` if the method does not send single keys. */
  readonly keys: KeySequence | undefined;
  readonly entry: SentEntry | undefined;
}
