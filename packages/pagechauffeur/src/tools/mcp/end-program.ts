import type { ChildProcess } from 'node:child_process';

/** Time in ms for a program to exit after it was asked to. */
const GRACE_MS = 2000;

/** The part of a connection that holds its process. */
interface ProgramConnection {
  close(): Promise<void>;
}

/** Kills a program that does not exit after its connection was closed. Does not wait for it. */
export function killAfterClose(connection: ProgramConnection): void {
  const close = connection.close.bind(connection);
  connection.close = async () => {
    // The protocol's package hides the process and drops its reference on close.
    const { process: program } = connection as { readonly process?: ChildProcess };
    await close();
    if (!program || program.exitCode !== null || program.signalCode !== null) return;
    const timer = setTimeout(() => program.kill('SIGKILL'), GRACE_MS);
    program.once('exit', () => clearTimeout(timer));
  };
}
