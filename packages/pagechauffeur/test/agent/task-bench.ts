import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, AgentResult, ExecuteOptions } from '../../src/index.ts';
import type { ModelRequest } from '../../src/model/model-client.ts';
import { grouped } from '../../src/model/tool-groups.ts';
import { refOf } from '../../src/testing.ts';
import type { CacheBench } from '../cache/cache-bench.ts';

/** A call of a tool by its own name, made from what the model is shown. */
export type Call = (request: ModelRequest) => { readonly tool: string; readonly input: object };

/** A call on the element of a role and name. */
export function on(tool: string, role: string, name: string, input: object = {}): Call {
  return (request) => ({ tool, input: { ref: refOf(request, { role, name }), ...input } });
}

/** A call that names no element. */
export function call(tool: string, input: object = {}): Call {
  return () => ({ tool, input });
}

/** The end of a task. */
export function done(message = 'Done.', more: object = {}): Call {
  return call('done', { success: true, message, ...more });
}

/** What came of a task, and what the model was asked for it. */
export interface CompletedCall {
  readonly result: AgentResult;
  readonly requests: readonly ModelRequest[];
}

/** Has a task carried out by a model that calls these tools, one list a step, and no others. */
export async function runTask(
  bench: CacheBench,
  task: string | ExecuteOptions,
  steps: readonly (readonly Call[])[] = [],
  agent: Agent = bench.driver.agent(),
): Promise<CompletedCall> {
  const first = bench.asked;
  const left = [...steps];
  bench.answer = (request) => {
    const calls = left.shift();
    if (!calls) throw new TypeError(`the model was asked once more: ${request.messages.at(-1)?.text ?? ''}`);
    return { text: '', calls: calls.map((make) => grouped(make(request))) };
  };
  const result = await agent.execute(task);
  return { result, requests: bench.model.requests.slice(first) };
}

/** The text of the entry for tasks on the page of this path; undefined when there is none. */
export async function entryText({ folder }: CacheBench, path: string): Promise<string | undefined> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('agent-'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.find((text) => text.includes(`${path}"`));
}
