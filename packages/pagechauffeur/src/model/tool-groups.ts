import { isRecord } from '../util/is-record.ts';
import type { ModelCall, ModelTool } from './model-client.ts';

type Call = Pick<ModelCall, 'tool' | 'input'>;

/** A tool that models call through a group. */
export interface GroupMember {
  readonly tool: string;
  /** Value of `action` that selects this tool. */
  readonly action?: string;
  /** Input fields of which at least one must be set to select this tool. */
  readonly given?: readonly string[];
  /** Input that is added to the call. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

const AT_POINT = { given: ['x', 'y'] } as const;

/**
 * Tools that models see as one, because a short list of tools costs fewer tokens in every request. Logs, recordings and
 * exclusions use the member names. A call selects the first member that matches.
 */
export const TOOL_GROUPS: Readonly<Record<string, readonly GroupMember[]>> = {
  act: [
    { action: 'click', tool: 'clickAt', ...AT_POINT },
    { action: 'click', tool: 'click' },
    { action: 'doubleClick', tool: 'clickAt', ...AT_POINT, fixed: { twice: true } },
    { action: 'doubleClick', tool: 'click', fixed: { twice: true } },
    { action: 'rightClick', tool: 'clickAt', ...AT_POINT, fixed: { button: 'right' } },
    { action: 'rightClick', tool: 'click', fixed: { button: 'right' } },
    { action: 'fill', tool: 'typeAt', ...AT_POINT, fixed: { replace: true } },
    { action: 'fill', tool: 'fill' },
    { action: 'type', tool: 'typeAt', ...AT_POINT },
    { action: 'type', tool: 'type' },
    { action: 'replace', tool: 'edit', fixed: { change: 'replace' } },
    { action: 'insert', tool: 'edit', fixed: { change: 'insert' } },
    { action: 'append', tool: 'edit', fixed: { change: 'append' } },
    { action: 'press', tool: 'press' },
    { action: 'select', tool: 'select' },
    { action: 'check', tool: 'check' },
    { action: 'uncheck', tool: 'check', fixed: { on: false } },
    { action: 'upload', tool: 'upload' },
    { action: 'hover', tool: 'hoverAt', ...AT_POINT },
    { action: 'hover', tool: 'hover' },
    { action: 'drag', tool: 'dragAt', ...AT_POINT },
    { action: 'drag', tool: 'drag' },
    { action: 'scroll', tool: 'scrollAt', ...AT_POINT },
    { action: 'scroll', tool: 'scroll' },
    { action: 'back', tool: 'back' },
    { action: 'wait', tool: 'wait' },
    { action: 'waitGone', tool: 'wait', fixed: { until: 'gone' } },
    { action: 'acceptDialog', tool: 'dialog', fixed: { accept: true } },
    { action: 'declineDialog', tool: 'dialog', fixed: { accept: false } },
    { action: 'download', tool: 'download' },
    { action: 'pageTool', tool: 'pageTool' },
  ],
  navigate: [{ tool: 'tabs', given: ['what'] }, { tool: 'navigate' }],
  read: [{ tool: 'extract', given: ['instruction', 'fields'] }, { tool: 'expand', given: ['ref'] }, { tool: 'find' }],
  screenshot: [
    { tool: 'zoom', given: ['ref'] },
    { tool: 'zoomAt', given: ['x', 'y', 'width', 'height'] },
    { tool: 'screenshot' },
  ],
};

/**
 * Returns `[]` if there is no such group. Checks own properties, because the name is from a model and may be
 * `constructor`.
 */
export function membersOf(group: string): readonly GroupMember[] {
  return Object.hasOwn(TOOL_GROUPS, group) ? (TOOL_GROUPS[group] ?? []) : [];
}

/** Converts a call to a group into a call to the selected member. Returns other calls unchanged. */
export function ungrouped<C extends Call>(call: C): C {
  const { tool, input } = call;
  if (!isRecord(input)) return call;
  const { action, ...rest } = input;
  const member = membersOf(tool).find((one) => one.action === action && isGiven(one, input));
  return member ? { ...call, tool: member.tool, input: { ...rest, ...member.fixed } } : call;
}

/** Converts a call to a member into a call to its group. Returns other calls unchanged. */
export function grouped<C extends Call>(call: C): C {
  const { tool, input } = call;
  if (!isRecord(input)) return call;
  const [best] = Object.entries(TOOL_GROUPS)
    .flatMap(([group, members]) => members.map((member) => ({ group, member })))
    .filter(({ member: { tool: name, fixed = {} } }) => name === tool && isPartOf(fixed, input))
    .toSorted((a, b) => fixedCount(b.member) - fixedCount(a.member));
  if (!best) return call;
  const { action, fixed = {} } = best.member;
  const given = Object.entries(input).filter(([name]) => !(name in fixed));
  return {
    ...call,
    tool: best.group,
    input: { ...(action !== undefined && { action }), ...Object.fromEntries(given) },
  };
}

/** Returns the names of all tools that can be called, with group members instead of groups. */
export function toolNames(tools: readonly ModelTool[]): ReadonlySet<string> {
  return new Set(
    tools.flatMap(({ name, input }) => {
      const members = membersOf(name);
      const fields = isRecord(input['properties']) ? input['properties'] : {};
      const { action } = fields;
      const actions: unknown = isRecord(action) ? action['enum'] : undefined;
      const isDescribed = (member: GroupMember): boolean =>
        (member.action === undefined || (Array.isArray(actions) && actions.includes(member.action))) &&
        (member.given?.some((field) => field in fields) ?? true);
      return members.length === 0 ? [name] : members.filter(isDescribed).map(({ tool }) => tool);
    }),
  );
}

/** Models send unused fields as `null`, `false` or empty values, so these do not count. */
function isGiven({ given }: GroupMember, input: Readonly<Record<string, unknown>>): boolean {
  return given === undefined || given.some((field) => input[field] !== undefined && !isEmptyField(input[field]));
}

/** True for values that models send for an unused field. */
export function isEmptyField(value: unknown): boolean {
  return value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

function isPartOf(fixed: Readonly<Record<string, unknown>>, input: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(fixed).every(([name, value]) => input[name] === value);
}

function fixedCount({ fixed = {} }: GroupMember): number {
  return Object.keys(fixed).length;
}
