import type { PageTarget } from '../cdp/page-target.ts';
import type { SentEntry } from '../injected/contract.ts';
import type { Progress } from '../util/progress.ts';
import type { KeySequence } from './input/key-events.ts';
import type { ElementAction, ReadyElement } from './element-action.ts';

/** The arguments of a method whose element is actionable. */
export interface MethodCall {
  readonly progress: Progress;
  readonly page: PageTarget;
  readonly ready: ReadyElement;
  readonly action: ElementAction;
  /** The keys that only this element can receive. */
  readonly keys: KeySequence | undefined;
  /** The text to enter into the element. */
  readonly entry: SentEntry | undefined;
}
