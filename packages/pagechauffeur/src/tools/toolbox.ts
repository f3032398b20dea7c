import { DriverInvalidArgumentError } from '../errors.ts';
import { TOOL_GROUPS } from '../model/tool-groups.ts';
import { checkFlag, checkOptions, describeValue } from '../util/check-argument.ts';
import { ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { integrationParts, type IntegrationParts } from './mcp/check-integration.ts';
import type { Integration } from './mcp/integration.ts';
import type { McpSession } from './mcp/mcp-session.ts';
import { POINT_TOOLS, TOOLS } from './table.ts';
import { toolsNamed } from './describe-tools.ts';
import type { ToolOptions } from './tool-options.ts';
import type { Tool } from './tool.ts';
import { pageTool } from './web-mcp/page-tool.ts';

/** The options and model properties that determine the tools of a run. */
interface ToolChoice extends ToolOptions {
  readonly excludeTools: readonly string[];
  /** The `done` tool. It cannot be excluded. */
  readonly ending: Tool;
  /** False excludes the tools that return images. */
  readonly takesImages: boolean;
  /** True if `onHandoff` is set. */
  readonly isAnswered: boolean;
  /** True if the model can use screenshot coordinates. */
  readonly hasPoints: boolean;
}

/** The tools of a run. Disposing closes the connections to MCP servers. */
export interface Toolbox extends AsyncDisposable {
  /** Stay the same for the whole run, so that providers can cache the requests. */
  readonly tools: readonly Tool[];
}

const IMAGE_TOOLS: ReadonlySet<string> = new Set(['screenshot', 'zoom', 'zoomAt']);

/** Prepares custom tools and connects to MCP servers. Throws if one of them cannot be used. */
export async function openToolbox(progress: Progress, choice: ToolChoice): Promise<Toolbox> {
  checkToolOptions(choice);
  const sessions: McpSession[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(sessions.map((session) => session.close().catch(ignoreRejection)));
  };
  try {
    const groups: readonly (readonly ToolGroup[])[] = [
      [{ owner: LIBRARY, tools: libraryTools(choice) }],
      await ownGroup(choice),
      await serverGroups(progress, choice.integrations ?? [], sessions),
    ];
    return { tools: without(distinct(groups.flat()), choice), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function checkToolOptions({ tools, integrations, allowEvaluate }: ToolOptions): void {
  checkOptions(tools, 'tools');
  checkFlag('allowEvaluate', allowEvaluate);
  if (integrations === undefined) return;
  if (!Array.isArray(integrations))
    throw new DriverInvalidArgumentError(`integrations must be an array. Received ${describeValue(integrations)}.`, {
      argument: 'integrations',
    });
  partsOf(integrations);
}

function partsOf(integrations: readonly Integration[]): readonly IntegrationParts[] {
  return Array.from(integrations, (given, index) => integrationParts(given, `integrations[${index}]`));
}

/** Tools from one source. `owner` is its name in error messages. */
interface ToolGroup {
  readonly owner: string;
  readonly tools: readonly Tool[];
}

function libraryTools({ allowEvaluate = false, isAnswered, takesImages, hasPoints, ending }: ToolChoice): Tool[] {
  const known = TOOLS.filter(
    ({ name, kind }) =>
      kind !== 'end' &&
      (name !== 'evaluate' || allowEvaluate) &&
      (name !== 'handoff' || isAnswered) &&
      (takesImages || !IMAGE_TOOLS.has(name)),
  );
  return [...known, pageTool, ...(hasPoints ? POINT_TOOLS : []), ending];
}

async function ownGroup({ tools }: ToolChoice): Promise<ToolGroup[]> {
  if (!tools) return [];
  const { customTools } = await import('./custom/custom-tools.ts');
  return [{ owner: 'the option `tools`', tools: await customTools(tools) }];
}

/** Connects to all servers in parallel. On failure, the caller closes the sessions. */
async function serverGroups(
  progress: Progress,
  integrations: readonly Integration[],
  sessions: McpSession[],
): Promise<ToolGroup[]> {
  if (integrations.length === 0) return [];
  const [{ connectTo }, { mcpTools }] = await Promise.all([
    import('./mcp/mcp-connection.ts'),
    import('./mcp/mcp-tools.ts'),
  ]);
  const groups = await Promise.allSettled(
    partsOf(integrations).map(async (one): Promise<ToolGroup> => {
      const session = await connectTo(progress, one);
      sessions.push(session);
      return { owner: session.label, tools: await mcpTools(progress, session, one) };
    }),
  );
  return groups.map((group) => {
    if (group.status === 'rejected') throw group.reason;
    return group.value;
  });
}

const NAME = /^[\w-]{1,64}$/;

const LIBRARY = 'the library';

/** Merges all tools. Throws if a name is invalid, is used twice, or is the name of a tool group. */
function distinct(groups: readonly ToolGroup[]): Tool[] {
  const ownerByName = new Map(Object.keys(TOOL_GROUPS).map((name) => [name, LIBRARY]));
  for (const { owner, tools } of groups)
    for (const { name } of tools) {
      const other = ownerByName.get(name);
      if (other !== undefined && owner !== LIBRARY) throw nameConflict(name, owner, other);
      if (!NAME.test(name)) throw wrongName(name, owner);
      ownerByName.set(name, owner);
    }
  return groups.flatMap(({ tools }) => tools);
}

function nameConflict(name: string, owner: string, other: string): DriverInvalidArgumentError {
  return new DriverInvalidArgumentError(
    `Two tools are named ${JSON.stringify(name)}: one from ${other} and one from ${owner}. Rename your own, or give the integration a \`prefix\`.`,
    { argument: owner === 'the option `tools`' ? `tools.${name}` : 'integrations' },
  );
}

function wrongName(name: string, owner: string): DriverInvalidArgumentError {
  return new DriverInvalidArgumentError(
    `The tool name ${JSON.stringify(name)} from ${owner} is invalid. Use 1 to 64 letters, digits, "_" or "-".`,
    { argument: owner === 'the option `tools`' ? `tools.${name}` : 'integrations' },
  );
}

/**
 * Removes excluded tools. Accepts the names of tools that this run does not have, and of groups. Throws for unknown
 * names.
 */
function without(tools: readonly Tool[], { excludeTools, ending }: ToolChoice): readonly Tool[] {
  const names = [...TOOLS, ...POINT_TOOLS, ...tools].map(({ name }) => name);
  const known = new Set([...names, ...Object.keys(TOOL_GROUPS)].filter((name) => name !== ending.name));
  const unknown = excludeTools.filter((name) => !known.has(name));
  const excluded = new Set(excludeTools.flatMap(toolsNamed));
  if (unknown.length === 0) return tools.filter(({ name }) => !excluded.has(name));
  throw new DriverInvalidArgumentError(
    `excludeTools contains ${unknown.map((name) => JSON.stringify(name)).join(', ')}, which cannot be excluded. Tools that can be excluded: ${[...known].join(', ')}.`,
    { argument: 'excludeTools' },
  );
}
