import { DriverClosedError } from '../../errors.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { Session } from '../session.ts';

/** A page, out-of-process frame or worker, whose session can control its requests. */
export interface AttachedTarget {
  readonly session: Session;
  readonly targetId: string;
  /** CDP target type: `page`, `iframe`, `worker`, `shared_worker`, `service_worker` … */
  readonly type: string;
  /** Id of the page that owns the target. `undefined` for workers that pages can share. */
  readonly pageId: string | undefined;
  readonly isNew: boolean;
}

/** Waits for commands to several targets. Ignores targets that are gone or do not support the command. */
export async function settleCommands(commands: readonly Promise<unknown>[]): Promise<void> {
  await Promise.all(commands.map(settleCommand));
}

async function settleCommand(command: Promise<unknown>): Promise<void> {
  try {
    await command;
  } catch (error) {
    if (!(error instanceof DriverClosedError || error instanceof ProtocolError)) throw error;
  }
}
