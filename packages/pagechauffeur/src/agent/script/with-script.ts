import type { AgentResult } from '../agent-result.ts';
import type { RunRecord } from '../replay/run-record.ts';
import { type ScriptOptions, toScript } from './to-script.ts';

/** Adds `toScript` as a non-enumerable method, so that the result can be copied, compared and serialized as before. */
export function withScript(outcome: Omit<AgentResult, 'toScript'>, record: RunRecord): AgentResult {
  const script = { value: (options?: ScriptOptions) => toScript(record, options) };
  return Object.defineProperty({ ...outcome }, 'toScript', script) as AgentResult;
}
