import { grouped } from '../../src/model/tool-groups.ts';
import { type LineQuery, refOf, type ScriptedAnswer } from '../../src/testing.ts';

/** One call of an answer, by the name of its tool, as a model makes it that is told of groups of tools; in place of a ref in its input a query says which line is meant. */
export interface WrittenCall {
  readonly tool: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly on?: LineQuery;
}

/** An answer that asks for these calls. */
export function step(...calls: readonly WrittenCall[]): ScriptedAnswer {
  return (request) => ({
    text: '',
    calls: calls.map(({ tool, input = {}, on }) =>
      grouped({ tool, input: on ? { ...input, ref: refOf(request, on) } : input }),
    ),
  });
}

/** A call that clicks on what has this name. */
export function click(name: string): WrittenCall {
  return { tool: 'click', on: { name } };
}

/** An answer that says the task is done. */
export function done(message = 'It is done.', more: object = {}): ScriptedAnswer {
  return step({ tool: 'done', input: { success: true, message, ...more } });
}

/** Everything that a stream gives. */
export async function readAll<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of stream) all.push(item);
  return all;
}

/** What never comes. */
export function never(): Promise<unknown> {
  return Promise.withResolvers<unknown>().promise;
}
