import { withoutNullFields } from '../model/null-fields.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { describeIssue, schemaChecker } from '../model/schema-check.ts';
import { type Fields, type InputOf, schemaOf, schemaForModel } from './fields.ts';
import { followingPages } from './follow-pages.ts';
import type { ToolContext } from './tool-context.ts';
import { failed, type ToolOutcome } from './tool-outcome.ts';

/** `read` only looks; `act` may change the page or the browser; `end` ends the task. */
export type ToolKind = 'read' | 'act' | 'end';

/** One thing that an agent, a command or a client of the protocol for tools may have done. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  /** The shape of its input, as a model is told it. */
  readonly input: JsonSchema;
  /** Waits for people, who take their time: no time limit of tools holds for it. */
  readonly hasNoTimeout?: boolean;
  /** Checks the input and carries the tool out. What cannot be done is an outcome or a `DriverError`. */
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

/** Makes a tool whose input is checked before it runs. */
export function tool<const F extends Fields>({ fields, run, ...facts }: ToolParts<F>): Tool {
  const schema = schemaOf(fields);
  return {
    ...facts,
    input: schemaForModel(schema),
    async run(context, given) {
      const input = withoutNullFields(given, schema);
      const issues = (await schemaChecker(schema))(input);
      if (issues.length > 0) return failed(`${facts.name} cannot be used so: ${issues.map(describeIssue).join('; ')}`);
      const execute = (): Promise<ToolOutcome> => run(context, input as InputOf<F>);
      return facts.kind === 'act' ? followingPages(context, execute) : execute();
    },
  };
}
