import { DriverElementNotFoundError, DriverInvalidArgumentError } from '../errors.ts';
import type { ValueSet } from '../injected/contract.ts';
import type { ReadyElement } from './element-action.ts';

/** The values that a control has by then; what it refused is an error. */
export function valuesThen(ready: ReadyElement, answer: ValueSet): readonly string[] {
  if (answer.kind === 'set') return answer.values;
  if (answer.kind === 'refused') throw new DriverInvalidArgumentError(answer.message, { argument: 'values' });
  throw new DriverElementNotFoundError(`${ready.element.tag} left the page before its value was set.`, {
    selectors: [ready.target.label],
  });
}
