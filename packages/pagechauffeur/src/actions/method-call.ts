import type { PageTarget } from '../cdp/page-target.ts';
import type { SentEntry } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import type { KeySequence } from './input/key-events.ts';
import type { ElementAction, ReadyElement } from './element-action.ts';

/** The arguments of a method whose element is ready. */
export interface MethodCall {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly ready: ReadyElement;
  readonly action: ElementAction;
  /** The keys that the element accepts. */
  readonly keys: KeySequence | undefined;
  /** The text that goes into the element. */
  readonly entry: SentEntry | undefined;
}
