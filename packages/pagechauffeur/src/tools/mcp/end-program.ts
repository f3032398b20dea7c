import type { ChildProcess } from 'node:child_process';

/** Milliseconds that a program has to end once it was asked to. */
const GRACE_MS = 2000;

/** What a connection to a program holds of it. */
interface ProgramConnection {
  close(): Promise<void>;
}

/** Has a program killed that takes no notice of being asked to end when its connection is closed; nobody waits for that. */
export function killAfterClose(connection: ProgramConnection): void {
  const close = connection.close.bind(connection);
  connection.close = async () => {
    // The protocol's package keeps the process to itself, and forgets it here.
    const { process: program } = connection as { readonly process?: ChildProcess };
    await close();
    if (!program || program.exitCode !== null || program.signalCode !== null) return;
    const timer = setTimeout(() => program.kill('SIGKILL'), GRACE_MS);
    program.once('exit', () => clearTimeout(timer));
  };
}
