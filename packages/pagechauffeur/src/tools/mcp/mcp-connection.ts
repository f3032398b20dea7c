import type { ChildProcess } from 'node:child_process';
import type { MCPClient, MCPClientConfig } from '@ai-sdk/mcp';
import { McpConnectionError } from '../../errors.ts';
import { reasonOf } from '../../util/error-facts.ts';
import { isRecord } from '../../util/is-record.ts';
import type { Progress } from '../../util/progress.ts';
import { loggableUrl } from '../../util/loggable-url.ts';
import type { McpCommandIntegration, McpUrlIntegration } from './integration.ts';
import type { IntegrationParts } from './check-integration.ts';
import { connectLimits, type McpSession, sessionOf } from './mcp-session.ts';

export async function connectTo(progress: Progress, parts: IntegrationParts): Promise<McpSession> {
  if ('client' in parts) return sessionOf('the given client', parts.client, () => Promise.resolve());
  const label = 'url' in parts ? loggableUrl(String(parts.url)) : [parts.command, ...(parts.args ?? [])].join(' ');
  try {
    const client = await ('url' in parts ? byUrl(progress, parts) : byCommand(progress, parts));
    return sessionOf(label, client, () => client.close());
  } catch (error) {
    progress.throwIfEnded();
    const reason = withCause(error).replace(/\.$/, '');
    throw new McpConnectionError(`Cannot connect to the MCP server ${label}: ${reason}. ${adviceFor(error, parts)}`, {
      server: label,
      cause: error,
    });
  }
}

/** Appends the cause, because "fetch failed" alone does not help. */
function withCause(error: unknown): string {
  const reason = reasonOf(error);
  const cause = error instanceof Error && error.cause !== undefined ? withCause(error.cause) : '';
  return cause === '' || reason.includes(cause) ? reason : `${reason} (${cause})`;
}

function adviceFor(error: unknown, parts: McpUrlIntegration | McpCommandIntegration): string {
  if (!isRefused(error)) return 'Check that the server is running and supports the Model Context Protocol.';
  return 'authProvider' in parts && parts.authProvider !== undefined
    ? 'The `authProvider` returned no token that the server accepts. Sign in on the page that it opens, then run the task again.'
    : "The server requires authentication. Add `headers: { authorization: 'Bearer …' }` or an `authProvider` to the integration.";
}

function isRefused(error: unknown): boolean {
  if (error instanceof Error && error.name === 'UnauthorizedError') return true;
  return isRecord(error) && (error['statusCode'] === 401 || error['statusCode'] === 403);
}

/** Uses `transport` if set. Otherwise tries streamable HTTP, then SSE. */
async function byUrl(
  progress: Progress,
  { url, transport, headers = {}, authProvider }: McpUrlIntegration,
): Promise<MCPClient> {
  const at = { url: String(url), headers: { ...headers }, ...(authProvider && { authProvider }) };
  if (transport !== undefined) return connected(progress, { type: transport, ...at });
  try {
    return await connected(progress, { type: 'http', ...at });
  } catch (error) {
    progress.throwIfEnded();
    if (isRefused(error)) throw error;
    return connected(progress, { type: 'sse', ...at }).catch(() => {
      // The error of the fallback is less helpful.
      throw error;
    });
  }
}

async function byCommand(
  progress: Progress,
  { command, args = [], env, cwd }: McpCommandIntegration,
): Promise<MCPClient> {
  const { StdioMCPTransport } = await import('@ai-sdk/mcp/mcp-stdio');
  const transport = new StdioMCPTransport({
    command,
    args: [...args],
    ...(env && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
  });
  killAfterClose(transport);
  return connected(progress, transport);
}

/** Time in ms for a program to exit after its connection is closed. */
const EXIT_GRACE_MS = 2000;

interface ProgramConnection {
  close(): Promise<void>;
}

/** Kills a program that does not exit after its connection is closed. `close()` does not wait for the exit. */
function killAfterClose(connection: ProgramConnection): void {
  const close = connection.close.bind(connection);
  connection.close = async () => {
    // The transport keeps its process private and forgets it on close.
    const { process: program } = connection as { readonly process?: ChildProcess };
    await close();
    if (!program || program.exitCode !== null || program.signalCode !== null) return;
    const timer = setTimeout(() => program.kill('SIGKILL'), EXIT_GRACE_MS);
    program.once('exit', () => clearTimeout(timer));
  };
}

async function connected(progress: Progress, transport: MCPClientConfig['transport']): Promise<MCPClient> {
  const { createMCPClient } = await import('@ai-sdk/mcp');
  const initializationOptions = connectLimits(progress);
  const connecting = createMCPClient({ transport, clientName: 'chauffeur', initializationOptions });
  return progress.race(connecting);
}
