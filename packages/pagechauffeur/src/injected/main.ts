import type { InjectedProgram } from './contract.ts';
import { actingMethods } from './acting.ts';
import { readingMethods } from './reading.ts';
import { toWireText } from './wire-text.ts';

const program: InjectedProgram = { ...readingMethods, ...actingMethods };

/** Calls a method by name and answers with its result as JSON text. */
function callForText(method: keyof InjectedProgram, args: readonly never[]): unknown {
  const call: (...args: readonly never[]) => unknown = program[method];
  const result = call(...args);
  return result instanceof Promise ? result.then(toWireText) : toWireText(result);
}

export default { ...program, callForText };
