import type { OAuthClientProvider } from '@ai-sdk/mcp';

/** A connected MCP client: of `@modelcontextprotocol/sdk`, of `@ai-sdk/mcp`, or your own. */
export interface McpClient {
  listTools(request?: never): Promise<{ tools: readonly object[] }>;
  callTool(request: never, ...more: never[]): Promise<unknown>;
}

/** Options of every server. */
interface IntegrationOptions {
  /** Prefix for the names of its tools, separated by `_`. Required if two servers have tools of the same name. */
  prefix?: string;
  /** Tools that the model receives; default all. */
  tools?: readonly string[];
  /** Variables whose values this server may receive; default none. */
  variables?: readonly string[];
}

/** A server with a URL. */
export interface McpUrlIntegration extends IntegrationOptions {
  url: string | URL;
  /** `http` is streamable HTTP. Default: `http`, then `sse` if the server does not support it. */
  transport?: 'http' | 'sse';
  /** Sent with each request, such as `{ authorization: 'Bearer …' }`. */
  headers?: Readonly<Record<string, string>>;
  /** Obtains and renews OAuth tokens, and directs a person to the consent page if required. */
  authProvider?: OAuthClientProvider;
}

/** A server that runs as a program and communicates through standard input and output. */
export interface McpCommandIntegration extends IntegrationOptions {
  command: string;
  args?: readonly string[];
  /** Added to `PATH`, `HOME` and similar variables. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** A connected client. The library does not close it. */
export interface McpClientIntegration extends IntegrationOptions {
  client: McpClient;
}

/** An MCP server for an agent: its URL, the command that starts it, or a connected client. */
export type Integration = string | URL | McpUrlIntegration | McpCommandIntegration | McpClientIntegration | McpClient;
