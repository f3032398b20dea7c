import { withoutNullFields } from '../model/null-fields.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { describeIssue, schemaChecker } from '../model/schema-check.ts';
import { type Fields, type InputOf, schemaOf, schemaForModel } from './fields.ts';
import { followingPages } from './follow-pages.ts';
import type { ToolContext } from './tool-context.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';

/** `read`: does not act on the page. `act`: can change the page or the browser. `end`: ends the task. */
export type ToolKind = 'read' | 'act' | 'end';

/** A tool for agents, the command line and the MCP server. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  /** JSON Schema of the input, as sent to models. */
  readonly input: JsonSchema;
  /** True if the tool waits for a person. */
  readonly hasNoTimeout?: boolean;
  /** Validates the input and runs the tool. Returns a failure as an outcome or throws. */
  run(context: ToolContext, input: unknown): Promise<ToolOutcome>;
}

interface ToolParts<F extends Fields> {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly hasNoTimeout?: boolean;
  readonly fields: F;
  readonly run: (context: ToolContext, input: InputOf<F>) => Promise<ToolOutcome>;
}

/** Creates a tool that validates its input. */
export function tool<const F extends Fields>({ fields, run, ...facts }: ToolParts<F>): Tool {
  const schema = schemaOf(fields);
  return {
    ...facts,
    input: schemaForModel(schema),
    async run(context, given) {
      const input = withoutNullFields(given, schema);
      const issues = (await schemaChecker(schema))(input);
      if (issues.length > 0) return failed(`Invalid input for ${facts.name}: ${issues.map(describeIssue).join('; ')}`);
      const execute = (): Promise<ToolOutcome> => run(context, input as InputOf<F>);
      return facts.kind === 'act' ? followingPages(context, execute) : execute();
    },
  };
}
