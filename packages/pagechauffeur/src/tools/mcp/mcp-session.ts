import { LONGEST_TIMER_MS } from '../../util/start-timer.ts';
import type { Progress } from '../../util/progress.ts';
import type { McpClient } from './integration.ts';

/** A tool as a server tells it. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** How long a server may take to say that it is there, and which tools it has, in milliseconds. */
const CONNECT_TIMEOUT_MS = 30_000;
/** The call's own end says more than that of the client, which has one of its own unless it is told another. */
const CLIENT_GRACE_MS = 1000;

/** What a request may be ended by. */
export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** What ends the call of a tool: the call of the driver that it is made in. */
export function callLimits({ signal, remaining }: Progress): RequestLimits {
  return { signal, timeout: Math.min(remaining + CLIENT_GRACE_MS, LONGEST_TIMER_MS) };
}

/** What ends a server's first answers: that, or a server that takes too long. */
export function connectLimits(progress: Progress): RequestLimits {
  const { signal, timeout } = callLimits(progress);
  return { signal, timeout: Math.min(timeout, CONNECT_TIMEOUT_MS) };
}

/** A connection to a server, whichever client holds it. */
export interface McpSession {
  /** The server as messages name it. */
  readonly label: string;
  /** A page of the list of tools, and where the next begins. */
  listTools(cursor: string | undefined, limits: RequestLimits): Promise<unknown>;
  callTool(name: string, input: unknown, limits: RequestLimits): Promise<unknown>;
  /** Ends the connection, unless it is the user's. */
  close(): Promise<void>;
}

/** What both kinds of clients have; they take the same in different places. */
interface AnyClient {
  listTools(request: object, options?: RequestLimits): Promise<unknown>;
  callTool(request: object, schema?: undefined, options?: RequestLimits): Promise<unknown>;
}

/** A session of a client that is there; only who connected it closes it. */
export function sessionOf(label: string, client: McpClient, close: () => Promise<void>): McpSession {
  // The two kinds of clients differ in where they take options; what they answer is looked at before it is used.
  const any = client as unknown as AnyClient;
  const isAiSdk = 'toolsFromDefinitions' in client;
  return {
    label,
    close,
    listTools: (cursor, limits) => {
      const params = cursor === undefined ? {} : { cursor };
      return isAiSdk ? any.listTools({ params, options: limits }) : any.listTools(params, limits);
    },
    callTool: (name, input, limits) => {
      const request = { name, arguments: input };
      return isAiSdk ? any.callTool({ ...request, options: limits }) : any.callTool(request, undefined, limits);
    },
  };
}
