import { LONGEST_TIMER_MS } from '../../util/start-timer.ts';
import type { Progress } from '../../util/progress.ts';
import type { McpClient } from './integration.ts';

/** A tool as described by a server. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Timeout in ms for connecting to a server and listing its tools. */
const CONNECT_TIMEOUT_MS = 30_000;
/** Extra time in ms, so that the timeout of the call fires before the client's own. */
const CLIENT_GRACE_MS = 1000;

/** Timeout and signal of a request. */
export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** Limits of a tool call: those of the driver's call that contains it. */
export function callLimits({ signal, remaining }: Progress): RequestLimits {
  return { signal, timeout: Math.min(remaining + CLIENT_GRACE_MS, LONGEST_TIMER_MS) };
}

/** Limits for connecting: those of the call, and a timeout. */
export function connectLimits(progress: Progress): RequestLimits {
  const { signal, timeout } = callLimits(progress);
  return { signal, timeout: Math.min(timeout, CONNECT_TIMEOUT_MS) };
}

/** A connection to a server through any client. */
export interface McpSession {
  /** Name of the server in messages. */
  readonly label: string;
  /** A page of the tool list, and the cursor of the next one. */
  listTools(cursor: string | undefined, limits: RequestLimits): Promise<unknown>;
  callTool(name: string, input: unknown, limits: RequestLimits): Promise<unknown>;
  /** Closes the connection unless it belongs to the user. */
  close(): Promise<void>;
}

/** Methods that both kinds of clients have, with different parameters. */
interface AnyClient {
  listTools(request: object, options?: RequestLimits): Promise<unknown>;
  callTool(request: object, schema?: undefined, options?: RequestLimits): Promise<unknown>;
}

/** Session of an existing client. Only its creator closes it. */
export function sessionOf(label: string, client: McpClient, close: () => Promise<void>): McpSession {
  // The two kinds of clients take options in different positions. Their answers are validated before use.
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
