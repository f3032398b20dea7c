import type { InjectedProgram } from './contract.ts';
import { actingMethods } from './acting.ts';
import { readMethods } from './read-methods.ts';
import { warmUpWhenIdle } from './snapshot/frame-snapshot.ts';
import { type AnswerId, toBoundedWireText, toWireText, toWireTextSince } from './wire-text.ts';

const program: InjectedProgram = { ...readMethods, ...actingMethods };

/** Methods whose results are not truncated: they limit results themselves, or the caller requested the whole value. */
const WHOLE: ReadonlySet<keyof InjectedProgram> = new Set(['paintBoxes', 'read', 'snapshot']);

function callForText(method: keyof InjectedProgram, args: readonly never[]): unknown {
  const result = called(method, args);
  const toText = WHOLE.has(method) ? toWireText : toBoundedWireText;
  return result instanceof Promise ? result.then(toText) : toText(result);
}

/** For methods whose answers are mostly equal to the one before; see `toWireTextSince`. */
function callForTextSince(
  method: keyof InjectedProgram,
  args: readonly never[],
  id: AnswerId,
  held: AnswerId | undefined,
): string | undefined {
  return toWireTextSince(called(method, args), id, held);
}

function called(method: keyof InjectedProgram, args: readonly never[]): unknown {
  const call: (...args: readonly never[]) => unknown = program[method];
  return call(...args);
}

warmUpWhenIdle();

export default { ...program, callForText, callForTextSince };
