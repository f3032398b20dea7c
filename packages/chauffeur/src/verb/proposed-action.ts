import type { SchemaIssue } from '../errors.ts';
import type { JsonSchema, ProposedAction } from '../model/model-client.ts';
import { ACTION_METHOD_NAMES } from '../page/action/methods.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { stepIssues } from './limits/step-limits.ts';
import type { VariableTable } from './variables.ts';

/** The shape of one proposed step. */
export const PROPOSED_ACTION_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    ref: { type: 'string', description: 'ref of the element, as in the page' },
    method: { type: 'string', enum: ACTION_METHOD_NAMES },
    arguments: {
      type: 'array',
      items: { type: 'string' },
      description: 'what the method needs: text, key, option; else empty',
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
  /** What the step is to carry out; what it does not ask for is refused. */
  readonly instruction?: string;
}

/**
 * What is wrong with a proposed step beyond its shape: a ref that was not shown, a placeholder without a variable, and for an
 * instruction that is carried out at once, whatever it does not ask for.
 */
export function proposalIssues(action: ProposedAction, proposal: ProposalContext): SchemaIssue[] {
  const { snapshot, variables, path, instruction } = proposal;
  const issues: SchemaIssue[] = [];
  if (!snapshot.refs.has(action.ref))
    issues.push({ path: ['ref'], message: `${JSON.stringify(action.ref)} does not stand in the page` });
  for (const placeholder of action.arguments.flatMap((argument) => variables.missingIn(argument)))
    issues.push({ path: ['arguments'], message: `there is no variable ${placeholder}` });
  if (issues.length === 0 && instruction !== undefined) issues.push(...stepIssues(action, { instruction, snapshot }));
  return issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}
