import type { MCPClient, MCPClientConfig } from '@ai-sdk/mcp';
import { McpConnectionError } from '../../errors.ts';
import { reasonOf } from '../../util/error-facts.ts';
import type { Progress } from '../../util/progress.ts';
import type { McpCommandIntegration, McpUrlIntegration } from './integration.ts';
import { CONNECT_TIMEOUT_MS, type IntegrationParts, type McpSession, sessionOf } from './mcp-session.ts';

/** Connects to a server, or takes the user's connection; a `McpConnectionError` says what could not be reached. */
export async function connectTo(progress: Progress, parts: IntegrationParts): Promise<McpSession> {
  if ('client' in parts) return sessionOf('the given client', parts.client, () => Promise.resolve());
  const label = 'url' in parts ? String(parts.url) : [parts.command, ...(parts.args ?? [])].join(' ');
  try {
    const client = await ('url' in parts ? byUrl(progress, parts) : byCommand(progress, parts));
    return sessionOf(label, client, () => client.close());
  } catch (error) {
    progress.throwIfEnded();
    throw new McpConnectionError(
      `The server of tools ${label} cannot be connected to: ${reasonOf(error)}. Check that it runs and speaks the Model Context Protocol.`,
      { server: label, cause: error },
    );
  }
}

/** A server that refuses streamable HTTP may be of the time before. */
async function byUrl(progress: Progress, { url, transport, headers = {} }: McpUrlIntegration): Promise<MCPClient> {
  const at = { url: String(url), headers: { ...headers } };
  if (transport !== undefined) return connected(progress, { type: transport, ...at });
  try {
    return await connected(progress, { type: 'http', ...at });
  } catch (error) {
    progress.throwIfEnded();
    return connected(progress, { type: 'sse', ...at }).catch(() => {
      // What the first attempt met says more than that there is no older kind of server either.
      throw error;
    });
  }
}

async function byCommand(
  progress: Progress,
  { command, args = [], env, cwd }: McpCommandIntegration,
): Promise<MCPClient> {
  const { StdioMCPTransport } = await import('@ai-sdk/mcp/mcp-stdio');
  return connected(
    progress,
    new StdioMCPTransport({
      command,
      args: [...args],
      ...(env && { env: { ...env } }),
      ...(cwd !== undefined && { cwd }),
    }),
  );
}

async function connected(progress: Progress, transport: MCPClientConfig['transport']): Promise<MCPClient> {
  const { createMCPClient } = await import('@ai-sdk/mcp');
  const limits = { signal: progress.signal, timeout: Math.min(CONNECT_TIMEOUT_MS, progress.remaining) };
  const connecting = createMCPClient({ transport, clientName: 'chauffeur', initializationOptions: limits });
  return progress.race(connecting);
}
