import type { SchemaIssue } from '../errors.ts';
import type { JsonSchema, ProposedAction } from '../model/model-client.ts';
import { ACTION_METHOD_NAMES } from '../page/action/methods.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
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

/** What is wrong with a proposed step beyond its shape: a ref that was not shown, a placeholder without a variable. */
export function proposalIssues(
  action: ProposedAction,
  { snapshot, variables, path }: { snapshot: Snapshot; variables: VariableTable; path: readonly (string | number)[] },
): SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  if (!snapshot.refs.has(action.ref))
    issues.push({ path: [...path, 'ref'], message: `${JSON.stringify(action.ref)} does not stand in the page` });
  for (const placeholder of action.arguments.flatMap((argument) => variables.missingIn(argument))) {
    issues.push({ path: [...path, 'arguments'], message: `there is no variable ${placeholder}` });
  }
  return issues;
}
