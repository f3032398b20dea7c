import { spawn } from 'node:child_process';

/** `output` combines standard output and standard error. */
export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** Runs a command without a terminal. The exit code is 127 if the command cannot be started. */
export async function runCommand(command: string, words: readonly string[], folder?: string): Promise<CommandResult> {
  const { promise, resolve } = Promise.withResolvers<CommandResult>();
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], ...(folder && { cwd: folder }) });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => (output += text));
  }
  child.on('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}\n` }));
  child.on('close', (code) => resolve({ code: code ?? 1, output }));
  return promise;
}
