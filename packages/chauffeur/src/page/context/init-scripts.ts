import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FrameNode } from '../../cdp/frame-node.ts';
import { DocumentGoneError, ProtocolError } from '../../cdp/protocol-error.ts';
import { sourceOfValue } from '../../cdp/user-argument.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';
import type { Progress } from '../../util/progress.ts';
import { functionSource } from '../function-source.ts';

/** A script as source text, as a function, or in a file. */
export type InitScript<Argument = unknown> =
  | string
  | ((argument: Argument) => unknown)
  | { readonly path: string }
  | { readonly content: string };

/** Adds a user's script by `add`, once a frame of a page that is open, if there is one, has found that it compiles. */
export async function addInitScript(
  progress: Progress,
  { script, argument }: { readonly script: InitScript<never>; readonly argument: unknown },
  { compiler, add }: { readonly compiler: FrameNode | undefined; readonly add: (source: string) => Promise<unknown> },
): Promise<void> {
  const source = await progress.race(initScriptSource(script, argument));
  if (compiler) await progress.race(checkCompiles(compiler, source));
  await progress.race(add(source));
}

/** A script as the source text that documents run, with the argument in it. */
async function initScriptSource(script: InitScript<never>, argument: unknown): Promise<string> {
  if (typeof script === 'function') return `(${ownSource(script)})(${sourceOfValue(argument)});`;
  const source = await writtenSource(script);
  if (argument === undefined) return source;
  throw new DriverInvalidArgumentError(
    'argument is for functions alone; this script is text. Give a function, or write the value into the text.',
    {
      argument: 'argument',
    },
  );
}

/** Throws when a frame cannot compile a script, which it would otherwise leave out without a word. */
async function checkCompiles(frame: FrameNode, source: string): Promise<void> {
  const problem = await compileProblem(frame, source);
  if (problem !== undefined)
    throw new DriverInvalidArgumentError(`script does not compile: ${problem}.`, { argument: 'script' });
}

/** A page that has no document just now cannot tell, and is not what decides. */
async function compileProblem(frame: FrameNode, source: string): Promise<string | undefined> {
  try {
    const world = await frame.worlds.isolated;
    return await world.compileProblem(source);
  } catch (error) {
    if (error instanceof DocumentGoneError || error instanceof ProtocolError) return undefined;
    throw error;
  }
}

function ownSource(script: (argument: never) => unknown): string {
  const source = functionSource(script);
  if (!/\{\s*\[native code\]\s*\}\s*$/.test(source)) return source;
  throw new DriverInvalidArgumentError(
    'script is a function without source text: a bound or built-in one. Wrap it in an arrow function.',
    {
      argument: 'script',
    },
  );
}

async function writtenSource(script: Exclude<InitScript<never>, (argument: never) => unknown>): Promise<string> {
  if (typeof script === 'string') return script;
  const { path, content } = (script ?? {}) as { path?: unknown; content?: unknown };
  if (typeof content === 'string' && path === undefined) return content;
  if (typeof path === 'string' && content === undefined) return readScript(path);
  throw new DriverInvalidArgumentError(
    `script must be a string, a function, { path } or { content }; it is ${describeValue(script)}.`,
    { argument: 'script' },
  );
}

async function readScript(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new DriverInvalidArgumentError(
      `There is no script to read at ${resolve(path)}. A path begins in the working directory.`,
      {
        argument: 'script',
        cause: error,
      },
    );
  }
}
