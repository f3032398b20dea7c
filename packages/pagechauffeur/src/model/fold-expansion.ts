import type { SchemaIssue } from '../errors.ts';
import type { JsonSchema } from './model-client.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** A response that may request folded content instead of the result. */
export interface ExpandingAnswer {
  /** Ref from the line of a fold. The request is then repeated with this fold expanded. */
  readonly expand?: string;
}

/** A request that may be repeated with more of the page. */
export interface ExpandableQuestion {
  readonly snapshot: Snapshot;
  /** False if the request has been repeated already, or is not about a page. */
  readonly mayExpand: boolean;
}

const EXPAND_RULE = `
- \`… 993 more rows (e80–e1072)\` means hidden rows, \`… 190 more\` hidden options. If the requested element may be among them and is not visible, expand is the first ref of that line (for options the ref of their element): you are asked again with them shown. Otherwise expand is empty.`;

/** Adds the rules for `expand` if the page has folds. */
export function rulesWithExpansion(rules: string, question: ExpandableQuestion): string {
  return canExpand(question) ? rules + EXPAND_RULE : rules;
}

/** Adds the field `expand` if the page has folds. */
export function schemaWithExpansion(schema: JsonSchema, question: ExpandableQuestion): JsonSchema {
  if (!canExpand(question)) return schema;
  const expand = { type: 'string', description: 'ref of the part to expand; empty if none' };
  return { ...schema, properties: { ...(schema['properties'] as object), expand } };
}

/** Returns an issue if `expand` is not a ref that expands a fold. */
export function expansionIssues({ expand }: ExpandingAnswer, question: ExpandableQuestion): readonly SchemaIssue[] {
  if (!expand || (canExpand(question) && isFoldRef(expand, question.snapshot))) return [];
  return [{ path: ['expand'], message: `${JSON.stringify(expand)} is not the ref of a folded part` }];
}

/** A visible item of a partly folded list expands the fold after it. */
function isFoldRef(ref: string, { foldRefs, foldedItems }: Snapshot): boolean {
  return foldRefs.has(ref) || foldedItems.byRef.has(ref);
}

function canExpand({ snapshot, mayExpand }: ExpandableQuestion): boolean {
  return mayExpand && snapshot.isFolded;
}
