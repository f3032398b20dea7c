import { DriverClosedError } from '../../errors.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { Session } from '../session.ts';

/** A page, frame or worker that can send requests, with the session it is reached by. */
export interface AttachedTarget {
  readonly session: Session;
  readonly targetId: string;
  /** The browser's word for what it is: `page`, `iframe`, `worker`, `shared_worker`, `service_worker` … */
  readonly type: string;
  /** The page it belongs to; undefined for workers that several pages may share. */
  readonly pageId: string | undefined;
  /** Whether it has yet to run its first script. */
  readonly isNew: boolean;
}

/** Waits for commands to targets; one that has gone meanwhile, or that knows no such command, is no fault. */
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
