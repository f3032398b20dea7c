import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';

export type Commands = ProtocolMapping.Commands;
export type CommandName = keyof Commands;
export type Params<M extends CommandName> = Commands[M]['paramsType'][0];
export type Result<M extends CommandName> = Commands[M]['returnType'];
export type EventName = keyof ProtocolMapping.Events;
export type EventParams<E extends EventName> = ProtocolMapping.Events[E][0];
