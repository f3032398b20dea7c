import { LONGEST_TIMER_MS } from '../../util/start-timer.ts';
import type { Progress } from '../../util/progress.ts';
import type { McpClient } from './integration.ts';

export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Timeout in ms for connecting and for listing tools. */
const CONNECT_TIMEOUT_MS = 30_000;
/** Extra time in ms, so that our timeout fires before the client's. */
const CLIENT_GRACE_MS = 1000;

export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

export function callLimits({ signal, remaining }: Progress): RequestLimits {
  return { signal, timeout: Math.min(remaining + CLIENT_GRACE_MS, LONGEST_TIMER_MS) };
}

export function connectLimits(progress: Progress): RequestLimits {
  const { signal, timeout } = callLimits(progress);
  return { signal, timeout: Math.min(timeout, CONNECT_TIMEOUT_MS) };
}

/** Hides the differences between MCP clients. */
export interface McpSession {
  /** The server's name in error messages. */
  readonly label: string;
  /** Lists one page of tools. The result contains the cursor for the next page. */
  listTools(cursor: string | undefined, limits: RequestLimits): Promise<unknown>;
  callTool(name: string, input: unknown, limits: RequestLimits): Promise<unknown>;
  /** Closes the connection, except for a client that the user passed. */
  close(): Promise<void>;
}

/** The methods that both kinds of clients have, with loose types. */
interface AnyClient {
  listTools(request: object, options?: RequestLimits): Promise<unknown>;
  callTool(request: object, schema?: undefined, options?: RequestLimits): Promise<unknown>;
}

export function sessionOf(label: string, client: McpClient, close: () => Promise<void>): McpSession {
  // `@ai-sdk/mcp` and `@modelcontextprotocol/sdk` take options in different positions. Results are validated by the
  // caller.
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
