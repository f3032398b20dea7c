import { DriverElementNotFoundError, DriverInvalidArgumentError } from '../errors.ts';
import type { ValueSet } from '../injected/contract.ts';
import type { ReadyElement } from './element-action.ts';

/**
 * Returns the values that the control has after the change.
 * @throws DriverInvalidArgumentError if the control rejected the new values.
 * @throws DriverElementNotFoundError if the control was removed.
 */
export function valuesThen(ready: ReadyElement, answer: ValueSet): readonly string[] {
  if (answer.kind === 'set') return answer.values;
  if (answer.kind === 'refused') throw new DriverInvalidArgumentError(answer.message, { argument: 'values' });
  throw new DriverElementNotFoundError(`${ready.element.tag} was removed from the page before its value was set.`, {
    selectors: [ready.target.label],
  });
}
