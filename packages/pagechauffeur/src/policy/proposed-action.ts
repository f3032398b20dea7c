import type { SchemaIssue } from '../errors.ts';
import type { Intent, JsonSchema, ProposedAction } from '../model/model-client.ts';
import { ACTION_METHOD_NAMES } from '../actions/methods.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Healing, stepIssues } from './step-limits.ts';
import type { VariableTable } from './variables.ts';

export const PROPOSED_ACTION_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    ref: { type: 'string', description: 'ref of the element' },
    method: { type: 'string', enum: ACTION_METHOD_NAMES },
    arguments: {
      type: 'array',
      items: { type: 'string' },
      description: 'arguments of the method, such as a text, key or option; otherwise empty',
    },
    description: { type: 'string', description: 'the element and what happens to it, in a few words' },
  },
  required: ['ref', 'method', 'arguments', 'description'],
  additionalProperties: false,
};

interface ProposalContext {
  readonly snapshot: Snapshot;
  readonly variables: VariableTable;
  readonly path: readonly (string | number)[];
  /** If set, a step that does not serve this purpose is rejected. */
  readonly intent?: Intent;
  /** Set if the step replaces a failed one. */
  readonly healing?: Healing | undefined;
}

/**
 * Returns problems that the schema cannot express: an unknown ref, a placeholder without a variable and, with `intent`,
 * a step that the policy does not allow.
 */
export function proposalIssues(action: ProposedAction, proposal: ProposalContext): SchemaIssue[] {
  const { snapshot, variables, path, intent, healing } = proposal;
  const issues: SchemaIssue[] = [];
  if (!snapshot.refs.has(action.ref))
    issues.push({ path: ['ref'], message: `${JSON.stringify(action.ref)} is not on the page` });
  const fault = variables.faultIn(action.arguments);
  if (fault !== undefined) issues.push({ path: ['arguments'], message: fault });
  if (issues.length === 0 && intent) issues.push(...stepIssues(action, { intent, snapshot, variables, healing }));
  return issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}
