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

/** What decides which tools there are, besides the user's options. */
interface ToolChoice extends ToolOptions {
  /** Tools that are left out. */
  readonly excludeTools: readonly string[];
  /** The tool that ends the task, which is always there. */
  readonly ending: Tool;
  /** Whether the model looks at pictures; without, the tools that take some are left out. */
  readonly takesImages: boolean;
  /** Whether somebody answers what the agent asks. */
  readonly isAnswered: boolean;
  /** Whether points of pictures can be named. */
  readonly hasPoints: boolean;
}

/** The tools of a run, with the connections that they need. */
export interface Toolbox extends AsyncDisposable {
  /** The same from the first request of a run to the last, so that providers find them in their caches. */
  readonly tools: readonly Tool[];
}

const PICTURES: ReadonlySet<string> = new Set(['screenshot', 'zoom', 'zoomAt']);

/** Makes the user's tools ready and connects to servers; what cannot be used is an error before anything is done. */
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

/** Throws when an option of tools is wrong. */
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
  return integrations.map((given, index) => integrationParts(given, `integrations[${index}]`));
}

/** Tools of one origin. */
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
      (takesImages || !PICTURES.has(name)),
  );
  return [...known, pageTool, ...(hasPoints ? POINT_TOOLS : []), ending];
}

async function ownGroup({ tools }: ToolChoice): Promise<ToolGroup[]> {
  if (!tools) return [];
  const { customTools } = await import('./custom/custom-tools.ts');
  return [{ owner: 'the option tools', tools: await customTools(tools) }];
}

/** All servers at once; when one fails, the others are closed again. */
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

/** The tools of all; names must be different, for a model knows tools by nothing else. Groups have the names of the library's, too. */
function distinct(groups: readonly ToolGroup[]): Tool[] {
  const ownerByName = new Map(Object.keys(TOOL_GROUPS).map((name) => [name, LIBRARY]));
  for (const { owner, tools } of groups)
    for (const { name } of tools) {
      const other = ownerByName.get(name);
      if (other !== undefined && owner !== LIBRARY) throw clash(name, owner, other);
      if (!NAME.test(name)) throw wrongName(name, owner);
      ownerByName.set(name, owner);
    }
  return groups.flatMap(({ tools }) => tools);
}

function clash(name: string, owner: string, other: string): DriverInvalidArgumentError {
  return new DriverInvalidArgumentError(
    `There are two tools named ${JSON.stringify(name)}: one of ${other} and one of ${owner}. Rename your own, or give the integration a \`prefix\`.`,
    { argument: owner === 'the option tools' ? `tools.${name}` : 'integrations' },
  );
}

function wrongName(name: string, owner: string): DriverInvalidArgumentError {
  return new DriverInvalidArgumentError(
    `The tool ${JSON.stringify(name)} of ${owner} cannot be told to a model: a name has at most 64 letters, digits, _ and -.`,
    { argument: owner === 'the option tools' ? `tools.${name}` : 'integrations' },
  );
}

/**
 * Names that are excluded must be names of tools; those of tools that this run would not have anyway are, too. With the name of a group
 * all of it is left out, and with that of one of its tools only that.
 */
function without(tools: readonly Tool[], { excludeTools, ending }: ToolChoice): readonly Tool[] {
  const names = [...TOOLS, ...POINT_TOOLS, ...tools].map(({ name }) => name);
  const known = new Set([...names, ...Object.keys(TOOL_GROUPS)].filter((name) => name !== ending.name));
  const unknown = excludeTools.filter((name) => !known.has(name));
  const excluded = new Set(excludeTools.flatMap(toolsNamed));
  if (unknown.length === 0) return tools.filter(({ name }) => !excluded.has(name));
  throw new DriverInvalidArgumentError(
    `excludeTools names ${unknown.map((name) => JSON.stringify(name)).join(', ')}, which can be no tool to leave out. There are: ${[...known].join(', ')}.`,
    { argument: 'excludeTools' },
  );
}
