import type { CacheKey } from '../cache/cache-key.ts';
import { DriverInvalidArgumentError, ObserveTimeoutError, type SchemaIssue } from '../errors.ts';
import type { JsonSchema, ObserveAnswer, ProposedAction } from '../model/model-client.ts';
import { settlePage } from '../actions/settle-page.ts';
import type { Snapshot, SnapshotOptions, TreeOptions } from '../snapshot/snapshot.ts';
import { takeSnapshot } from '../snapshot/take-snapshot.ts';
import { checkString } from '../util/check-argument.ts';
import { Progress } from '../util/progress.ts';
import type { Action } from '../replay/action.ts';
import { withOwnArguments } from '../policy/step-limits.ts';
import {
  type ExpandingAnswer,
  expansionIssues,
  rulesWithExpansion,
  schemaWithExpansion,
} from '../model/fold-expansion.ts';
import { pageView, promptMessages } from '../model/prompt.ts';
import { PROPOSED_ACTION_SCHEMA, proposalIssues } from '../policy/proposed-action.ts';
import { identificationFor } from '../verb/perform-step.ts';
import { refFingerprints } from '../replay/ref-fingerprints.ts';
import { refXPaths } from '../snapshot/ref-xpaths.ts';
import { logScopeFrame } from '../snapshot/scope-frame.ts';
import { VariableTable } from '../policy/variables.ts';
import { type InstructionOptions, VERB_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import { interactiveElements } from './interactive-elements.ts';
import {
  keepObserved,
  type ObservedCall,
  type ObservedElement,
  recallObserved,
  rememberObserved,
} from './observe-memory.ts';

/** Options of `observe()`. */
export interface ObserveOptions extends InstructionOptions {
  /** Limits the result to this element and its descendants. */
  selector?: string;
  /** Selectors of elements that are left out, together with their descendants. */
  ignoreSelectors?: readonly string[];
}

const OBSERVE_RULES = `You find the elements of the page that an instruction asks for, most relevant first.
- For each: its ref, the method to use on it, the arguments that the instruction gives (else an empty list), and a description of the element in a few words.
- click is for buttons, links, tabs and options; fill for text fields; select for elements that list options; check for checkboxes and switches.
- Return an empty list if nothing on the page matches. Never list something else instead.`;

const OBSERVE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { elements: { type: 'array', items: PROPOSED_ACTION_SCHEMA } },
  required: ['elements'],
  additionalProperties: false,
};

/**
 * Finds actions on the page: elements that match an instruction, or, without an instruction and without a model, every
 * interactive element.
 */
export async function observe(
  context: VerbContext,
  instruction: string | undefined,
  options: ObserveOptions = {},
): Promise<Action[]> {
  const { timeout = VERB_TIMEOUT_MS, signal, model } = options;
  const variables = new VariableTable(options.variables);
  if ('instruction' in options)
    throw new DriverInvalidArgumentError(
      "instruction is not an option of observe. Pass it as the first argument: observe('the Save button', options).",
      { argument: 'instruction' },
    );
  if (instruction !== undefined) checkString('instruction', instruction);
  const asked = instruction === undefined ? undefined : variables.readInstruction(instruction);
  using progress = new Progress({
    operation: 'observe',
    timeout,
    signals: [signal, context.signal, context.page.target.gone],
    obstacle: () => context.page.target.obstacle,
    timeoutError: ObserveTimeoutError,
  });
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  const withTree = instruction === undefined || (await context.modelService.readsTree(progress, model));
  const read = async (
    wanted: Pick<SnapshotOptions & TreeOptions, 'instruction' | 'tokenBudget' | 'expand'>,
  ): Promise<Snapshot> => {
    const snapshot = await takeSnapshot(progress, context.page.target, {
      ...options,
      withTree,
      withUrls: false,
      ...wanted,
    });
    logScopeFrame(context.log, { verb: 'observe', selector: options.selector, snapshot });
    return snapshot;
  };
  if (instruction === undefined || asked === undefined) {
    const snapshot = await read({});
    const found = await toActions({ progress, context }, interactiveElements(snapshot), snapshot);
    return found.map(({ action }) => action);
  }
  const key = observeKey(context, instruction, options);
  const memory = { progress, context, key, instruction: asked, variables };
  const known = await recallObserved(memory);
  if (known) return known;
  const { tokenBudget } = context;
  const wanted = { instruction: asked, tokenBudget };
  const question = { progress, context, instruction: asked, variables, model };
  const snapshot = await read(wanted);
  const answer = await ask({ ...question, snapshot, mayExpand: true });
  if (!answer.expand || answer.elements.length > 0) return await kept(memory, answer, snapshot);
  const expanded = await read({ ...wanted, expand: answer.expand });
  return await kept(memory, await ask({ ...question, snapshot: expanded, mayExpand: false }), expanded);
}

/** Converts a model's result to actions, and stores it in the cache. */
async function kept(call: ObservedCall, { elements }: ObserveAnswer, snapshot: Snapshot): Promise<Action[]> {
  const found = await toActions(call, elements, snapshot);
  await keepObserved(call, found);
  return found.map(({ action }) => action);
}

/** Returns the cache key of a call. */
function observeKey({ page }: VerbContext, instruction: string, options: ObserveOptions): CacheKey {
  const { selector, ignoreSelectors, variables = {} } = options;
  const scope = { selector, ignoreSelectors };
  return { verb: 'observe', instruction, url: page.url(), variables: Object.keys(variables), scope };
}

interface Question {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly instruction: string;
  readonly snapshot: Snapshot;
  readonly variables: VariableTable;
  readonly model: ObserveOptions['model'];
  readonly mayExpand: boolean;
}

function ask({
  progress,
  context,
  instruction,
  snapshot,
  variables,
  model,
  mayExpand,
}: Question): Promise<ObserveAnswer & ExpandingAnswer> {
  const { systemPrompt, boundary } = context;
  const task = `Instruction: ${instruction}`;
  const messages = promptMessages({
    rules: rulesWithExpansion(OBSERVE_RULES, { snapshot, mayExpand }),
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
    schema: schemaWithExpansion(OBSERVE_SCHEMA, { snapshot, mayExpand }),
    schemaName: 'observe_answer',
  } as const;
  const check = (output: unknown): { value: ObserveAnswer & ExpandingAnswer } | { issues: readonly SchemaIssue[] } => {
    const answer = output as ObserveAnswer & ExpandingAnswer;
    const shown = answer.elements
      .filter(({ ref }) => snapshot.refs.has(ref))
      .map((element) => withOwnArguments(element, { instruction, snapshot, variables }));
    const issues = shown.flatMap((element, index) =>
      proposalIssues(element, { snapshot, variables, path: ['elements', index] }),
    );
    const faults = shown.length > 0 ? issues : expansionIssues(answer, { snapshot, mayExpand });
    return faults.length > 0 ? { issues: faults } : { value: { ...answer, elements: shown } };
  };
  return context.modelService.ask(progress, request, { model, rules: { check } });
}

async function toActions(
  { progress, context }: Pick<ObservedCall, 'progress' | 'context'>,
  found: readonly ProposedAction[],
  snapshot: Snapshot,
): Promise<ObservedElement[]> {
  const places = found.map(({ ref }) => snapshot.refs.get(ref));
  const here = places.filter((place) => place !== undefined);
  const [xpaths, fingerprints] = await Promise.all([
    refXPaths(progress, here),
    refFingerprints(progress, here.slice(0, MAX_REMEMBERED), identificationFor(context)),
  ]);
  const observed = found.flatMap(({ method, arguments: args, description }, index) => {
    const place = places[index];
    const xpath = place && xpaths.get(place);
    if (!place || xpath === undefined) return [];
    const action = { selector: `xpath=${xpath}`, description, method, arguments: [...args] };
    return [{ place, action, fingerprint: fingerprints.get(place) }];
  });
  rememberObserved(context, observed);
  return observed;
}

/** Maximum number of elements to remember, for actions that run after the page has changed. */
const MAX_REMEMBERED = 200;
