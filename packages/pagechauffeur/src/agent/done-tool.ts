import type { ExtractionShape } from '../extract/schema-shape.ts';
import { asDefinition } from '../extract/schema-root.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { describeIssue, schemaChecker } from '../model/schema-check.ts';
import { withoutNullFields } from '../model/null-fields.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { failed, type ToolOutcome } from '../tools/tool-outcome.ts';
import { isRecord } from '../util/is-record.ts';
import { mapTexts } from '../util/value-mask.ts';

/** What the model claims when it calls `done`. */
export interface Claim {
  readonly success: boolean;
  readonly message: string;
  /** Quotes from the page or from tool results. */
  readonly evidence: readonly string[];
  /** Data that matches the caller's schema. */
  readonly output?: unknown;
}

const FIELDS = {
  success: { type: 'boolean', description: 'the page shows that the whole task is done' },
  message: { type: 'string', description: 'the answer, or what is missing' },
  evidence: {
    type: 'array',
    items: { type: 'string' },
    description:
      'up to three short quotes of the page or of results that prove it; with the last action, what the page will show, else you see it first',
  },
} as const;

const DESCRIPTION = 'Ends the task.';

const PLAIN: JsonSchema = {
  type: 'object',
  properties: FIELDS,
  required: ['success', 'message'],
  additionalProperties: false,
};

/** Creates the `done` tool. With an `output` schema, `success: true` requires valid data. */
export function doneTool(shape: ExtractionShape<unknown> | undefined): Tool {
  const schema = shape ? withOutput(shape.modelSchema) : PLAIN;
  return {
    name: 'done',
    description: shape ? `${DESCRIPTION} output is the requested data; omit it without success.` : DESCRIPTION,
    kind: 'end',
    input: schema,
    run: async (context, given) => {
      const input = withoutNullFields(given, schema);
      const { output, ...rest } = isRecord(input) ? input : {};
      const issues = (await schemaChecker(PLAIN))(rest);
      if (issues.length > 0) return failed(`Invalid input for done: ${issues.map(describeIssue).join('; ')}`);
      return end(context, { claim: claimOf(rest), output, shape });
    },
  };
}

/** The schema has validated the fields. */
function claimOf(fields: object): Claim {
  return { evidence: [], ...(fields as Omit<Claim, 'evidence'>) };
}

interface Ending {
  readonly claim: Claim;
  readonly output: unknown;
  readonly shape: ExtractionShape<unknown> | undefined;
}

/** With `success: false`, missing data is accepted, and invalid data is dropped. */
async function end(context: ToolContext, { claim, output, shape }: Ending): Promise<ToolOutcome> {
  const ended = (data: Claim): ToolOutcome => ({ text: claim.message, data });
  const missing = output === undefined || output === null;
  if (!shape || (missing && !claim.success)) return ended(claim);
  if (missing) return failed('done was not accepted because output is missing. Call done again with output.');
  const checked = await shape.read(
    mapTexts(output, (text) => context.variables.expand(text, 'driver')),
    linksOf(context),
  );
  if (!checked.issues) return ended({ ...claim, output: checked.value });
  if (!claim.success) return ended(claim);
  const faults = checked.issues.slice(0, MAX_LISTED_ISSUES).map(describeIssue).join('; ');
  return failed(`done was not accepted because output is invalid: ${faults}. Call done again with valid output.`);
}

const MAX_LISTED_ISSUES = 10;

function linksOf({ page, shown }: ToolContext): { urls: readonly string[]; pageUrl: string; text: string } {
  return { urls: shown?.urls ?? [], pageUrl: page.url(), text: shown?.text ?? '' };
}

function withOutput(schema: JsonSchema): JsonSchema {
  const { field, definitions } = asDefinition(schema);
  return {
    type: 'object',
    properties: { ...FIELDS, output: field },
    required: ['success', 'message'],
    additionalProperties: false,
    ...(definitions ? { $defs: definitions } : {}),
  };
}
