import { DriverInvalidArgumentError, McpConnectionError } from '../../errors.ts';
import type { JsonSchema } from '../../model/model-client.ts';
import { withoutNullFields } from '../../model/null-fields.ts';
import { reasonOf } from '../../util/error-facts.ts';
import { isRecord } from '../../util/is-record.ts';
import type { Progress } from '../../util/progress.ts';
import { mapTexts } from '../../util/value-mask.ts';
import { harmless } from '../../model/untrusted-text.ts';
import { contentPart, outcomeOfParts } from '../custom/tool-output.ts';
import { readableData } from '../readable-data.ts';
import { failed, type ToolOutcome } from '../tool-outcome.ts';
import type { Tool } from '../tool.ts';
import type { IntegrationParts } from './check-integration.ts';
import { callLimits, connectLimits, type McpSession, type McpTool } from './mcp-session.ts';

/** Stops reading the list of a server that always returns another cursor. */
const MAX_PAGES = 50;
const MAX_DESCRIPTION_LENGTH = 1000;

/** Returns the tools of a server, filtered by the option `tools`. */
export async function mcpTools(progress: Progress, session: McpSession, parts: IntegrationParts): Promise<Tool[]> {
  const known = await listedTools(progress, session);
  const unknown = (parts.tools ?? []).filter((name) => !known.some((tool) => tool.name === name));
  if (unknown.length > 0)
    throw new DriverInvalidArgumentError(
      `integrations: ${session.label} has no tool ${unknown.join(', ')}. Available tools: ${known.map(({ name }) => name).join(', ')}.`,
      { argument: 'integrations' },
    );
  const wanted = known.filter(({ name }) => parts.tools?.includes(name) ?? true);
  return wanted.map((tool) => mcpTool(tool, session, parts));
}

async function listedTools(progress: Progress, session: McpSession): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await progress.race(askForTools(progress, session, cursor));
    if (!isRecord(answer) || !Array.isArray(answer['tools'])) break;
    tools.push(...answer['tools'].filter(isTool).map(readTool));
    const { nextCursor } = answer;
    if (typeof nextCursor !== 'string' || nextCursor === '') break;
    cursor = nextCursor;
  }
  return tools;
}

async function askForTools(progress: Progress, session: McpSession, cursor: string | undefined): Promise<unknown> {
  try {
    return await session.listTools(cursor, connectLimits(progress));
  } catch (error) {
    progress.throwIfEnded();
    throw new McpConnectionError(
      `Cannot list the tools of the MCP server ${session.label}: ${reasonOf(error)}. Check that it is still connected.`,
      { server: session.label, cause: error },
    );
  }
}

function isTool(value: unknown): value is { name: string; description?: unknown; inputSchema?: unknown } {
  return isRecord(value) && typeof value['name'] === 'string';
}

function readTool(tool: { name: string; description?: unknown; inputSchema?: unknown }): McpTool {
  const { name, description, inputSchema } = tool;
  const words = typeof description === 'string' ? harmless(description).slice(0, MAX_DESCRIPTION_LENGTH) : '';
  return { name, description: words, inputSchema: isRecord(inputSchema) ? inputSchema : { type: 'object' } };
}

function mcpTool(tool: McpTool, session: McpSession, { prefix, variables = [] }: IntegrationParts): Tool {
  const name = prefix === undefined ? tool.name : `${prefix}_${tool.name}`;
  const input: JsonSchema = tool.inputSchema;
  return {
    name,
    description: tool.description,
    kind: 'act',
    input,
    async run(context, asked) {
      const given = withoutNullFields(asked ?? {}, input);
      const texts: string[] = [];
      mapTexts(given, (text) => texts.push(text));
      const fault = context.variables.sinkFault(texts, 'server', variables);
      if (fault !== undefined) return failed(`${name} was not called. ${fault}`);
      const values = mapTexts(given, (text) => context.variables.expand(text, 'server', variables));
      const answer = await context.progress.race(session.callTool(tool.name, values, callLimits(context.progress)));
      return outcomeOf(name, answer);
    },
  };
}

function outcomeOf(name: string, answer: unknown): ToolOutcome {
  if (!isRecord(answer)) return { text: `${name} returned nothing.` };
  const { content, structuredContent, isError } = answer;
  const parts = Array.isArray(content) ? content.map(mcpPart) : [];
  const isEmpty = parts.length === 0 && structuredContent !== undefined;
  const outcome = outcomeOfParts(name, isEmpty ? [readableData(structuredContent)] : parts);
  return { ...outcome, data: structuredContent ?? content, ...(isError === true && { isError: true }) };
}

/** Shows an embedded resource by its text or bytes, and a resource link by its name and URI. */
function mcpPart(part: unknown): ReturnType<typeof contentPart> {
  if (!isRecord(part)) return contentPart(part);
  const { type, resource } = part;
  if (type === 'resource' && isRecord(resource) && typeof resource['text'] === 'string')
    return { text: `${String(resource['uri'] ?? '')}\n${resource['text']}`.trim() };
  if (type === 'resource' && isRecord(resource) && typeof resource['blob'] === 'string')
    return contentPart({ type: 'file', data: resource['blob'], mediaType: resource['mimeType'] });
  if (type === 'resource_link') return { text: `${String(part['name'] ?? '')} ${String(part['uri'] ?? '')}`.trim() };
  return contentPart(part);
}
