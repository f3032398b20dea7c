import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';

/** All CDP commands with their parameters and results. */
export type Commands = ProtocolMapping.Commands;
/** A command name, such as `Page.navigate`. */
export type CommandName = keyof Commands;
/** Parameters of a command. */
export type Params<M extends CommandName> = Commands[M]['paramsType'][0];
/** Result of a command. */
export type Result<M extends CommandName> = Commands[M]['returnType'];
/** An event name, such as `Page.frameNavigated`. */
export type EventName = keyof ProtocolMapping.Events;
/** Parameters of an event. */
export type EventParams<E extends EventName> = ProtocolMapping.Events[E][0];
