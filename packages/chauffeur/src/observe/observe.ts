import { ObserveTimeoutError, type SchemaIssue } from '../errors.ts';
import type { JsonSchema, ObserveAnswer, ProposedAction } from '../model/model-client.ts';
import { settlePage } from '../page/action/settle-page.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { checkString } from '../util/check-argument.ts';
import { Progress } from '../util/progress.ts';
import type { Action } from '../verb/action.ts';
import { withOwnArguments } from '../verb/limits/step-limits.ts';
import { pageView, promptMessages } from '../verb/prompt.ts';
import { PROPOSED_ACTION_SCHEMA, proposalIssues } from '../verb/proposed-action.ts';
import { refXPaths } from '../verb/ref-xpaths.ts';
import { VariableTable } from '../verb/variables.ts';
import { type InstructionOptions, VERB_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import { interactiveElements } from './interactive-elements.ts';

/** How to carry out an `observe()`. */
export interface ObserveOptions extends InstructionOptions {
  /** Only this element and what is below it. */
  selector?: string;
  /** Matches are left out of the snapshot with all that is below them. */
  ignoreSelectors?: readonly string[];
}

const OBSERVE_RULES = `You find the elements of the page that an instruction asks for, most relevant first.
- For each: its ref, the method a person would use on it, the arguments that the instruction gives (else an empty list), and a description of the element in a few words.
- click is for buttons, links, tabs and options; fill for text fields; select for elements that list options; check for checkboxes and switches.
- An empty list when nothing on the page fits. Never list something else instead.`;

const OBSERVE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { elements: { type: 'array', items: PROPOSED_ACTION_SCHEMA } },
  required: ['elements'],
  additionalProperties: false,
};

/** Finds what can be done: the elements an instruction asks for, or every interactive one without a model. */
export async function observe(
  context: VerbContext,
  instruction: string | undefined,
  options: ObserveOptions = {},
): Promise<Action[]> {
  const { timeout = VERB_TIMEOUT_MS, signal, model } = options;
  const variables = new VariableTable(options.variables);
  if (instruction !== undefined) checkString('instruction', instruction);
  if (instruction !== undefined) variables.check(instruction, 'The instruction');
  using progress = new Progress({
    operation: 'observe',
    timeout,
    signals: [signal, context.signal, context.page.target.gone],
    obstacle: () => context.page.target.obstacle,
    timeoutError: ObserveTimeoutError,
  });
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  const withTree = instruction === undefined || (await context.desk.readsTree(progress, model));
  const snapshot = await takeSnapshot(progress, context.page.target, { ...options, withTree });
  const found =
    instruction === undefined
      ? interactiveElements(snapshot)
      : await ask({ progress, context, instruction, snapshot, variables, model });
  return await toActions(progress, found, snapshot);
}

interface Question {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly instruction: string;
  readonly snapshot: Snapshot;
  readonly variables: VariableTable;
  readonly model: ObserveOptions['model'];
}

async function ask({
  progress,
  context,
  instruction,
  snapshot,
  variables,
  model,
}: Question): Promise<readonly ProposedAction[]> {
  const { systemPrompt, boundary } = context;
  const task = `Instruction: ${instruction}`;
  const messages = promptMessages({
    rules: OBSERVE_RULES,
    systemPrompt,
    snapshot,
    boundary,
    task,
    variables: variables.known,
  });
  const request = {
    verb: 'observe',
    instruction,
    page: pageView(snapshot, variables.known),
    variables: variables.known,
    messages,
    schema: OBSERVE_SCHEMA,
    schemaName: 'observe_answer',
  } as const;
  const check = (output: unknown): { value: ObserveAnswer } | { issues: readonly SchemaIssue[] } => {
    const answer = output as ObserveAnswer;
    const shown = answer.elements
      .filter(({ ref }) => snapshot.refs.has(ref))
      .map((element) => withOwnArguments(element, { instruction, snapshot }));
    const issues = shown.flatMap((element, index) =>
      proposalIssues(element, { snapshot, variables, path: ['elements', index] }),
    );
    return issues.length > 0 ? { issues } : { value: { elements: shown } };
  };
  return (await context.desk.ask(progress, request, { model, rules: { check } })).elements;
}

async function toActions(progress: Progress, found: readonly ProposedAction[], snapshot: Snapshot): Promise<Action[]> {
  const places = found.map(({ ref }) => snapshot.refs.get(ref));
  const xpaths = await refXPaths(
    progress,
    places.filter((place) => place !== undefined),
  );
  return found.flatMap(({ method, arguments: args, description }, index) => {
    const place = places[index];
    const xpath = place && xpaths.get(place);
    return xpath === undefined ? [] : [{ selector: `xpath=${xpath}`, description, method, arguments: [...args] }];
  });
}
