import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FrameNode } from '../../cdp/frame-node.ts';
import type { AddedScript } from '../../cdp/init-scripts.ts';
import { onCurrentDocument } from '../../cdp/on-current-document.ts';
import { ProtocolError } from '../../cdp/protocol-error.ts';
import { sourceOfValue } from '../../cdp/user-argument.ts';
import { DriverInvalidArgumentError } from '../../errors.ts';
import { describeValue } from '../../util/check-argument.ts';
import { reasonOf } from '../../util/error-facts.ts';
import type { Progress } from '../../util/progress.ts';
import { functionSource } from '../function-source.ts';

/**
 * Source text, a function, a file (`path`, relative to the working directory), or an object with the source text
 * (`content`).
 */
export type InitScript<Argument = unknown> =
  | string
  | ((argument: Argument) => unknown)
  | { readonly path: string }
  | { readonly content: string };

interface ScriptLocation {
  /** A frame that can compile the script. `undefined` if no page is open. */
  readonly compiler: FrameNode | undefined;
  readonly add: (source: string) => Promise<AddedScript>;
  /** Makes new popups wait for the script before they run their own scripts. */
  readonly setUp: (setup: Promise<unknown>) => void;
}

/**
 * Adds the script before checking that it compiles, because a popup may be about to run. Removes it again if it does
 * not compile.
 */
export async function addInitScript(
  progress: Progress,
  { script, argument }: { readonly script: InitScript<never>; readonly argument: unknown },
  { compiler, add, setUp }: ScriptLocation,
): Promise<void> {
  const source = initScriptSource(script, argument);
  const added = source.then(add);
  setUp(added);
  const addedScript = await progress.race(added);
  const problem = compiler && (await compileProblem(progress, compiler, await source));
  if (problem === undefined) return;
  await progress.race(addedScript.remove());
  throw new DriverInvalidArgumentError(`script does not compile: ${problem}.`, { argument: 'script' });
}

async function initScriptSource(script: InitScript<never>, argument: unknown): Promise<string> {
  if (typeof script === 'function') return `(${ownSource(script)})(${sourceOfValue(argument)});`;
  const source = await writtenSource(script);
  if (argument === undefined) return source;
  throw new DriverInvalidArgumentError(
    'argument needs a function, but this script is source text. Pass a function, or put the value into the source text.',
    {
      argument: 'argument',
    },
  );
}

/**
 * Returns the syntax error, or `undefined` if there is none or the page cannot check the script. Needed because the
 * browser ignores a broken script silently.
 */
async function compileProblem(progress: Progress, frame: FrameNode, source: string): Promise<string | undefined> {
  try {
    return await onCurrentDocument(progress, async () => {
      const world = await progress.race(frame.worlds.isolated);
      return progress.race(world.compileProblem(source));
    });
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

function ownSource(script: (argument: never) => unknown): string {
  const source = functionSource(script);
  if (!/\{\s*\[native code\]\s*\}\s*$/.test(source)) return source;
  throw new DriverInvalidArgumentError(
    'script is a function without source text, because it is bound or built in. Wrap it in an arrow function.',
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
    `script must be a string, a function, { path } or { content }. Received ${describeValue(script)}.`,
    { argument: 'script' },
  );
}

async function readScript(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new DriverInvalidArgumentError(
      `Cannot read the script ${resolve(path)}: ${reasonOf(error)}. Relative paths start at the working directory.`,
      {
        argument: 'script',
        cause: error,
      },
    );
  }
}
