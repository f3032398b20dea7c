import { withoutNullFields } from '../model/null-fields.ts';
import type { JsonSchema, ModelImage } from '../model/model-client.ts';
import { describeIssue, schemaChecker } from '../model/schema-check.ts';
import type { ActionEffect } from '../page/action/element-action.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { type Fields, type InputOf, schemaOf } from './fields.ts';
import type { ToolContext } from './tool-context.ts';

/** What came of a tool. */
export interface ToolOutcome {
  /** What is told to the model: what was done, seen or found, or why it was not done. */
  readonly text: string;
  readonly isError?: boolean;
  readonly images?: readonly ModelImage[];
  /** What the page showed for it. */
  readonly effect?: ActionEffect;
  /** The action that was carried out on an element. */
  readonly step?: DoneStep;
  /** Data for the caller. */
  readonly data?: unknown;
}

/** `read` only looks; `act` may change the page or the browser; `end` ends the task. */
export type ToolKind = 'read' | 'act' | 'end';

/** One thing that an agent, a command or a client of the protocol for tools may have done. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  /** The shape of its input. */
  readonly input: JsonSchema;
  /** Checks the input and carries the tool out. What cannot be done is an outcome or a `DriverError`. */
  run(context: ToolContext, input: unknown): Promise<ToolOutcome>;
}

interface ToolParts<F extends Fields> {
  readonly name: string;
  readonly description: string;
  readonly kind: ToolKind;
  readonly fields: F;
  run(context: ToolContext, input: InputOf<F>): Promise<ToolOutcome>;
}

/** Makes a tool whose input is checked before it runs. */
export function tool<const F extends Fields>({ fields, run, ...facts }: ToolParts<F>): Tool {
  const schema = schemaOf(fields);
  return {
    ...facts,
    input: schema,
    async run(context, given) {
      const input = withoutNullFields(given, schema);
      const issues = (await schemaChecker(schema))(input);
      if (issues.length > 0) return failed(`${facts.name} cannot be used so: ${issues.map(describeIssue).join('; ')}`);
      return run(context, input as InputOf<F>);
    },
  };
}

/** What tells a model that a tool did nothing, and why. */
export function failed(text: string): ToolOutcome {
  return { text, isError: true };
}
