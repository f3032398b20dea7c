import type { JsonSchema, ModelCall, ModelTool } from '../model/model-client.ts';
import { isEmptyField, membersOf, TOOL_GROUPS, ungrouped } from '../model/tool-groups.ts';
import { isRecord } from '../util/is-record.ts';
import type { Tool } from './tool.ts';

/** The tools as a model is told of them: those of a group as one, where the first of them stands. */
export function describeTools(tools: readonly Tool[]): readonly ModelTool[] {
  const told = new Map<string, ModelTool>();
  for (const tool of tools) {
    const group = groupOf(tool.name);
    if (group === undefined) told.set(tool.name, tool);
    else if (!told.has(group)) told.set(group, groupTool(group, tools));
  }
  return [...told.values()];
}

/** The name of the group that a tool belongs to; undefined for one that stands alone. */
function groupOf(tool: string): string | undefined {
  return Object.keys(TOOL_GROUPS).find((group) => membersOf(group).some((member) => member.tool === tool));
}

/** The tools that a name stands for: those of a group, or the one of this name. */
export function toolsNamed(name: string): readonly string[] {
  const members = membersOf(name).map(({ tool }) => tool);
  return members.length === 0 ? [name] : members;
}

function groupTool(group: string, tools: readonly Tool[]): ModelTool {
  const used = tools.filter(({ name }) => groupOf(name) === group);
  const available = membersOf(group).filter((member) => used.some(({ name }) => name === member.tool));
  const actions = new Set(available.flatMap(({ action }) => action ?? []));
  const implied = new Set(available.flatMap(({ fixed = {} }) => Object.keys(fixed)));
  const words = used.map(({ description }) => description).filter(Boolean);
  return {
    name: group,
    description: actions.size > 0 ? `One action on the page. ${words.join(' ')}` : words.join(' '),
    input: {
      type: 'object',
      properties: {
        ...(actions.size > 0 && { action: { type: 'string', enum: [...actions] } }),
        ...mergedFields(used, implied),
      },
      required: actions.size > 0 ? ['action'] : [],
      additionalProperties: false,
    },
  };
}

/** The fields of all, but for what an action implies; one that several have is described by the words of all. */
function mergedFields(tools: readonly Tool[], implied: ReadonlySet<string>): Readonly<Record<string, JsonSchema>> {
  const merged: Record<string, JsonSchema> = {};
  for (const tool of tools)
    for (const [name, field] of Object.entries(fieldsOf(tool.input)))
      if (!implied.has(name)) merged[name] = name in merged ? both(merged[name] ?? {}, field) : field;
  return merged;
}

function fieldsOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  // The schemas of the library's own tools are objects.
  return isRecord(properties) ? (properties as Record<string, JsonSchema>) : {};
}

/** One schema for a field of two tools, which checks it itself: words that only one of them takes are told, and not required. */
function both(first: JsonSchema, second: JsonSchema): JsonSchema {
  const words = [...new Set([first['description'], second['description']].filter(Boolean))];
  const { enum: _words, description: _told, ...shape } = { ...second, ...first };
  const isSame = JSON.stringify(first['enum']) === JSON.stringify(second['enum']);
  return {
    ...shape,
    ...(isSame && first['enum'] !== undefined && { enum: first['enum'] }),
    ...(words.length > 0 && { description: words.join('; ') }),
  };
}

/** What a model asked for, as a call of one of these tools, if it is one. */
export interface ResolvedCall {
  /** Of the tool that it means, by that tool's name. */
  readonly call: ModelCall;
  readonly tool: Tool | undefined;
}

/** The tool that a call means, and its input. Fields of other actions that were left empty are not part of it. */
export function resolveCall(asked: ModelCall, tools: ReadonlyMap<string, Tool>): ResolvedCall {
  const call = ungrouped(asked);
  const tool = tools.get(call.tool);
  if (!tool || call === asked || !isRecord(call.input)) return { call, tool };
  const fields = fieldsOf(tool.input);
  const input = Object.entries(call.input).filter(([name, value]) => name in fields || !isEmptyField(value));
  return { tool, call: { ...call, input: Object.fromEntries(input) } };
}

/** Why a call means no tool of these. */
export function unknownTool(asked: ModelCall, tools: ReadonlyMap<string, Tool>): string {
  const told = describeTools([...tools.values()]);
  const { input: schema } = told.find(({ name }) => name === asked.tool) ?? {};
  if (!schema)
    return `There is no tool ${JSON.stringify(asked.tool)}. There are: ${told.map(({ name }) => name).join(', ')}.`;
  const { action } = fieldsOf(schema);
  const given = isRecord(asked.input) ? asked.input['action'] : undefined;
  if (Array.isArray(action?.['enum']))
    return `${asked.tool} takes no action ${JSON.stringify(given)}. Use one of: ${action['enum'].join(', ')}.`;
  return `${asked.tool} cannot be used so: ${ungrouped(asked).tool} is not to be used here.`;
}
