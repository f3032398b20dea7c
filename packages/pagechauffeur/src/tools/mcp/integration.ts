import type { OAuthClientProvider } from '@ai-sdk/mcp';

/** A connected MCP client from `@modelcontextprotocol/sdk` or `@ai-sdk/mcp`, or an object with the same methods. */
export interface McpClient {
  listTools(request?: never): Promise<{ tools: readonly object[] }>;
  callTool(request: never, ...more: never[]): Promise<unknown>;
}

/** Options that every integration has. */
interface IntegrationOptions {
  /**
   * Prefix for the names of the server's tools, joined with `_`. Needed if two servers have a tool with the same name.
   */
  prefix?: string;
  /** Names of the tools that the model can call. Default: all. */
  tools?: readonly string[];
  /** Names of variables whose values the server may receive. Default: none. */
  variables?: readonly string[];
}

/** An MCP server that is reached over HTTP. */
export interface McpUrlIntegration extends IntegrationOptions {
  url: string | URL;
  /** `http` is streamable HTTP. Default: `http`, with a fallback to `sse`. */
  transport?: 'http' | 'sse';
  /** Headers for each request, for example `{ authorization: 'Bearer …' }`. */
  headers?: Readonly<Record<string, string>>;
  /** Obtains and renews OAuth tokens. Opens the consent page if needed. */
  authProvider?: OAuthClientProvider;
}

/** An MCP server that runs as a local program and communicates over stdin and stdout. */
export interface McpCommandIntegration extends IntegrationOptions {
  command: string;
  args?: readonly string[];
  /** Environment variables, in addition to `PATH`, `HOME` and the like. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** An MCP client that you have connected. The library does not close it. */
export interface McpClientIntegration extends IntegrationOptions {
  client: McpClient;
}

/** An MCP server for an agent: a URL, a command to start, or a connected client. */
export type Integration = string | URL | McpUrlIntegration | McpCommandIntegration | McpClientIntegration | McpClient;
