import { DriverClosedError } from '../../errors.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { Session } from '../session.ts';

/** A page, frame or worker that can send requests, with its session. */
export interface AttachedTarget {
  readonly session: Session;
  readonly targetId: string;
  /** The CDP target type: `page`, `iframe`, `worker`, `shared_worker`, `service_worker` … */
  readonly type: string;
  /** The owning page. Undefined for workers that pages may share. */
  readonly pageId: string | undefined;
  /** True if its first script has not run yet. */
  readonly isNew: boolean;
}

/** Waits for commands to targets. Ignores targets that are gone or do not support the command. */
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
