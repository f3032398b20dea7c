import type { JsonSchema, ModelCall, ModelTool } from '../model/model-client.ts';
import { isEmptyField, membersOf, TOOL_GROUPS, ungrouped } from '../model/tool-groups.ts';
import { isRecord } from '../util/is-record.ts';
import type { Tool } from './tool.ts';

/** Merges tools of the same group into one description. Fewer tools cost fewer tokens. */
export function describeTools(tools: readonly Tool[]): readonly ModelTool[] {
  const described = new Map<string, ModelTool>();
  for (const tool of tools) {
    const group = groupOf(tool.name);
    if (group === undefined) described.set(tool.name, tool);
    else if (!described.has(group)) described.set(group, groupTool(group, tools));
  }
  return [...described.values()];
}

function groupOf(tool: string): string | undefined {
  return Object.keys(TOOL_GROUPS).find((group) => membersOf(group).some((member) => member.tool === tool));
}

/** Returns the members of a group, or the name itself. */
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

/** Merges the fields of all tools in a group. Leaves out fields that an action implies. */
function mergedFields(tools: readonly Tool[], implied: ReadonlySet<string>): Readonly<Record<string, JsonSchema>> {
  const merged: Record<string, JsonSchema> = {};
  for (const tool of tools)
    for (const [name, field] of Object.entries(fieldsOf(tool.input)))
      if (!implied.has(name)) merged[name] = name in merged ? both(merged[name] ?? {}, field) : field;
  return merged;
}

function fieldsOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  // All schemas in the library are objects.
  return isRecord(properties) ? (properties as Record<string, JsonSchema>) : {};
}

/** Merges two schemas for the same field. Drops `enum` if the two lists differ; the tool then validates the value. */
function both(first: JsonSchema, second: JsonSchema): JsonSchema {
  const words = [...new Set([first['description'], second['description']].filter(Boolean))];
  const { enum: _enum, description: _description, ...shape } = { ...second, ...first };
  const isSame = JSON.stringify(first['enum']) === JSON.stringify(second['enum']);
  return {
    ...shape,
    ...(isSame && first['enum'] !== undefined && { enum: first['enum'] }),
    ...(words.length > 0 && { description: words.join('; ') }),
  };
}

export interface ResolvedCall {
  /** The call with the tool's own name and fields. */
  readonly call: ModelCall;
  readonly tool: Tool | undefined;
}

/**
 * Replaces a tool group in a call with one of its tools. Removes empty fields, which models send for the other actions
 * of the group.
 */
export function resolveCall(asked: ModelCall, tools: ReadonlyMap<string, Tool>): ResolvedCall {
  const call = ungrouped(asked);
  const tool = tools.get(call.tool);
  if (!tool || call === asked || !isRecord(call.input)) return { call, tool };
  const fields = fieldsOf(tool.input);
  const input = Object.entries(call.input).filter(([name, value]) => name in fields || !isEmptyField(value));
  return { tool, call: { ...call, input: Object.fromEntries(input) } };
}

/** Explains to the model why its call matches no tool. */
export function unknownTool(asked: ModelCall, tools: ReadonlyMap<string, Tool>): string {
  const described = describeTools([...tools.values()]);
  const { input: schema } = described.find(({ name }) => name === asked.tool) ?? {};
  if (!schema)
    return `There is no tool ${JSON.stringify(asked.tool)}. Available: ${described.map(({ name }) => name).join(', ')}.`;
  const { action } = fieldsOf(schema);
  const given = isRecord(asked.input) ? asked.input['action'] : undefined;
  if (Array.isArray(action?.['enum']))
    return `${asked.tool} has no action ${JSON.stringify(given)}. Use one of: ${action['enum'].join(', ')}.`;
  return `Invalid input for ${asked.tool}: ${ungrouped(asked).tool} is excluded here.`;
}
