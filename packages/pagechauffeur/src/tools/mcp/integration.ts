import type { OAuthClientProvider } from '@ai-sdk/mcp';

/** A client of the protocol for tools that is connected already: of `@modelcontextprotocol/sdk`, of `@ai-sdk/mcp`, or of your own. */
export interface McpClient {
  listTools(request?: never): Promise<{ tools: readonly object[] }>;
  callTool(request: never, ...more: never[]): Promise<unknown>;
}

/** What may be said of every server. */
interface IntegrationOptions {
  /** Stands before the names of its tools, with `_` between; needed where two servers have tools of the same name. */
  prefix?: string;
  /** The tools that the model is given; default all. */
  tools?: readonly string[];
  /** The variables whose values this server may be told; default none. */
  variables?: readonly string[];
}

/** A server that is reached by its address. */
export interface McpUrlIntegration extends IntegrationOptions {
  url: string | URL;
  /** `http` is streamable HTTP; default that, and `sse` where the server does not know it. */
  transport?: 'http' | 'sse';
  /** Sent with each request, such as `{ authorization: 'Bearer …' }`. */
  headers?: Readonly<Record<string, string>>;
  /** Gets and renews the tokens of a server that is signed in to by OAuth; where a person has to agree, it leads them there. */
  authProvider?: OAuthClientProvider;
}

/** A server that is started as a program, which is spoken to by its standard input and output. */
export interface McpCommandIntegration extends IntegrationOptions {
  command: string;
  args?: readonly string[];
  /** Besides `PATH`, `HOME` and the like. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** A client that is connected already, and stays so. */
export interface McpClientIntegration extends IntegrationOptions {
  client: McpClient;
}

/** A server whose tools an agent may use: its address, the command that starts it, or a connected client. */
export type Integration = string | URL | McpUrlIntegration | McpCommandIntegration | McpClientIntegration | McpClient;
