import type { JsonSchema, ModelCall, ModelTool } from '../model/model-client.ts';
import { isEmptyField, membersOf, TOOL_GROUPS, ungrouped } from '../model/tool-groups.ts';
import { isRecord } from '../util/is-record.ts';
import type { Tool } from './tool.ts';

/** Tools as described to a model. The tools of a group are one, at the place of the first. */
export function describeTools(tools: readonly Tool[]): readonly ModelTool[] {
  const described = new Map<string, ModelTool>();
  for (const tool of tools) {
    const group = groupOf(tool.name);
    if (group === undefined) described.set(tool.name, tool);
    else if (!described.has(group)) described.set(group, groupTool(group, tools));
  }
  return [...described.values()];
}

/** The group of a tool, or `undefined`. */
function groupOf(tool: string): string | undefined {
  return Object.keys(TOOL_GROUPS).find((group) => membersOf(group).some((member) => member.tool === tool));
}

/** Tools of a name: those of a group, or the tool itself. */
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

/** Merges the fields of all tools, without those that an action implies. A shared field has the descriptions of all. */
function mergedFields(tools: readonly Tool[], implied: ReadonlySet<string>): Readonly<Record<string, JsonSchema>> {
  const merged: Record<string, JsonSchema> = {};
  for (const tool of tools)
    for (const [name, field] of Object.entries(fieldsOf(tool.input)))
      if (!implied.has(name)) merged[name] = name in merged ? both(merged[name] ?? {}, field) : field;
  return merged;
}

function fieldsOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  // Schemas of the library's tools are objects.
  return isRecord(properties) ? (properties as Record<string, JsonSchema>) : {};
}

/**
 * Merges the schemas of a field that two tools share. A value that only one of them accepts is described but not required; the tool checks
 * it.
 */
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

/** A model's call, resolved to a tool. */
export interface ResolvedCall {
  /** Uses the tool's own name. */
  readonly call: ModelCall;
  readonly tool: Tool | undefined;
}

/** Resolves a call to its tool and input. Drops empty fields that belong to other actions of the group. */
export function resolveCall(asked: ModelCall, tools: ReadonlyMap<string, Tool>): ResolvedCall {
  const call = ungrouped(asked);
  const tool = tools.get(call.tool);
  if (!tool || call === asked || !isRecord(call.input)) return { call, tool };
  const fields = fieldsOf(tool.input);
  const input = Object.entries(call.input).filter(([name, value]) => name in fields || !isEmptyField(value));
  return { tool, call: { ...call, input: Object.fromEntries(input) } };
}

/** Why a call matches no tool. */
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
