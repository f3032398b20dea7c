import type { SchemaIssue } from '../errors.ts';
import type { JsonSchema } from '../model/model-client.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** An answer that may ask for what was folded away instead. */
export interface ExpandingAnswer {
  /** A ref that stands in the line of what was folded away: the question is put once more, with that shown. */
  readonly expand?: string;
}

/** Whether a question may be put again with more of the page. */
export interface ExpandableQuestion {
  readonly snapshot: Snapshot;
  /** It was put again already, or the page was not read for it. */
  readonly mayExpand: boolean;
}

const EXPAND_RULE = `
- \`… 993 more rows (e80–e1072)\` stands for rows that are not shown, \`… 190 more\` for options. When what is asked for may be among them and is not shown, expand is the first ref of that line (for options the ref of their element): you are asked again with them shown. Else expand is empty.`;

/** A verb's rules with what a model must know of folds, where the page has some. */
export function rulesWithExpansion(rules: string, question: ExpandableQuestion): string {
  return canExpand(question) ? rules + EXPAND_RULE : rules;
}

/** The shape of a verb's answer with the field by which a fold is asked for, where the page has some. */
export function schemaWithExpansion(schema: JsonSchema, question: ExpandableQuestion): JsonSchema {
  if (!canExpand(question)) return schema;
  const expand = { type: 'string', description: 'ref of what is to be shown; empty when nothing is' };
  return { ...schema, properties: { ...(schema['properties'] as object), expand } };
}

/** What is wrong with what an answer asks for. */
export function expansionIssues({ expand }: ExpandingAnswer, question: ExpandableQuestion): readonly SchemaIssue[] {
  if (!expand || (canExpand(question) && question.snapshot.refs.has(expand))) return [];
  return [{ path: ['expand'], message: `${JSON.stringify(expand)} is no ref of what is folded away` }];
}

function canExpand({ snapshot, mayExpand }: ExpandableQuestion): boolean {
  return mayExpand && snapshot.isFolded;
}
