import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A script in a process of its own, so that it can be killed or be seen to end. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** The next line it prints that holds this text. */
  lineWith(text: string): Promise<string>;
  /** Writes to its standard input. */
  write(text: string): void;
  /** Its exit code or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  kill(): Promise<void>;
}

interface RunOptions {
  /** It is expected to say on standard error why it fails. */
  readonly quiet?: boolean;
  /** Takes what it says on standard error. */
  readonly errors?: string[];
  /** Variables beside those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a script of the tests with arguments. */
export function runProgram(
  script: URL,
  args: readonly string[] = [],
  { quiet, errors, environment }: RunOptions = {},
): Program {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', errors ? 'pipe' : quiet ? 'ignore' : 'inherit'],
  });
  child.stderr?.on('data', (data) => errors?.push(String(data)));
  const lines = linesOf(child);
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  const write = (text: string): void => void child.stdin?.write(text);
  return { pid: child.pid ?? 0, lineWith: lines.lineWith, write, ended, kill, [Symbol.asyncDispose]: kill };
}

function linesOf(child: ChildProcess): Pick<Program, 'lineWith'> {
  const seen: string[] = [];
  const waiting = new Map<string, (line: string) => void>();
  if (!child.stdout) throw new TypeError('the program has no standard output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    seen.push(line);
    for (const [text, resolve] of waiting) if (line.includes(text)) resolve(line);
  });
  const lineWith = (text: string): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    waiting.set(text, resolve);
    const known = seen.find((line) => line.includes(text));
    if (known !== undefined) resolve(known);
    return promise;
  };
  return { lineWith };
}
