import type { InjectedProgram } from './contract.ts';
import { actingMethods } from './acting.ts';
import { readingMethods } from './reading.ts';
import { toBoundedWireText, toWireText } from './wire-text.ts';

const program: InjectedProgram = { ...readingMethods, ...actingMethods };

/** Methods whose results are not truncated: they return data that the caller asked for by name, or have limits of their own. */
const WHOLE: ReadonlySet<keyof InjectedProgram> = new Set(['paintBoxes', 'read', 'snapshot']);

/** Calls a method by name and returns its result as JSON text. */
function callForText(method: keyof InjectedProgram, args: readonly never[]): unknown {
  const call: (...args: readonly never[]) => unknown = program[method];
  const result = call(...args);
  const toText = WHOLE.has(method) ? toWireText : toBoundedWireText;
  return result instanceof Promise ? result.then(toText) : toText(result);
}

export default { ...program, callForText };
