import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';

/** Every command of the protocol with its parameters and result. */
export type Commands = ProtocolMapping.Commands;
/** A command's name, such as `Page.navigate`. */
export type CommandName = keyof Commands;
/** A command's parameters. */
export type Params<M extends CommandName> = Commands[M]['paramsType'][0];
/** A command's result. */
export type Result<M extends CommandName> = Commands[M]['returnType'];
/** An event's name, such as `Page.frameNavigated`. */
export type EventName = keyof ProtocolMapping.Events;
/** An event's parameters. */
export type EventParams<E extends EventName> = ProtocolMapping.Events[E][0];
