import type { SchemaIssue } from '../errors.ts';
import type { JsonSchema } from './model-client.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** An answer that may request folded content instead of answering. */
export interface ExpandingAnswer {
  /** A ref in the line of a fold. The next question shows this fold expanded. */
  readonly expand?: string;
}

/** A question that may be asked again with more of the page. */
export interface ExpandableQuestion {
  readonly snapshot: Snapshot;
  /** False if the question was already asked again or was not about a page. */
  readonly mayExpand: boolean;
}

const EXPAND_RULE = `
- \`… 993 more rows (e80–e1072)\` stands for rows that are not shown, \`… 190 more\` for options. When what is asked for may be among them and is not shown, expand is the first ref of that line (for options the ref of their element): you are asked again with them shown. Else expand is empty.`;

/** Adds the rules about folds if the page has some. */
export function rulesWithExpansion(rules: string, question: ExpandableQuestion): string {
  return canExpand(question) ? rules + EXPAND_RULE : rules;
}

/** Adds the field that requests a fold if the page has some. */
export function schemaWithExpansion(schema: JsonSchema, question: ExpandableQuestion): JsonSchema {
  if (!canExpand(question)) return schema;
  const expand = { type: 'string', description: 'ref of what is to be shown; empty when nothing is' };
  return { ...schema, properties: { ...(schema['properties'] as object), expand } };
}

/** Problems with the fold that an answer requests. */
export function expansionIssues({ expand }: ExpandingAnswer, question: ExpandableQuestion): readonly SchemaIssue[] {
  if (!expand || (canExpand(question) && question.snapshot.refs.has(expand))) return [];
  return [{ path: ['expand'], message: `${JSON.stringify(expand)} is not the ref of a folded part` }];
}

function canExpand({ snapshot, mayExpand }: ExpandableQuestion): boolean {
  return mayExpand && snapshot.isFolded;
}
