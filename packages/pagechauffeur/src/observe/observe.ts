import type { CacheKey } from '../cache/cache-key.ts';
import { DriverInvalidArgumentError, ObserveTimeoutError, type SchemaIssue } from '../errors.ts';
import type { JsonSchema, ObserveAnswer, ProposedAction } from '../model/model-client.ts';
import { settlePage } from '../actions/settle-page.ts';
import type { Snapshot, SnapshotOptions, TreeOptions } from '../snapshot/snapshot.ts';
import { logScopeFrame, takeSnapshot } from '../snapshot/take-snapshot.ts';
import { checkString } from '../util/check-argument.ts';
import { Progress } from '../util/progress.ts';
import type { Action } from '../replay/action.ts';
import { withoutUnmentionedArguments } from '../policy/step-limits.ts';
import {
  type ExpandingAnswer,
  expansionIssues,
  rulesWithExpansion,
  schemaWithExpansion,
} from '../model/fold-expansion.ts';
import { pageView, promptMessages } from '../model/prompt.ts';
import { PROPOSED_ACTION_SCHEMA, proposalIssues } from '../policy/proposed-action.ts';
import { fingerprintDetail } from '../verb/perform-step.ts';
import { refFingerprints } from '../replay/ref-fingerprints.ts';
import { refXPaths } from '../snapshot/xpaths.ts';
import { VariableTable } from '../policy/variables.ts';
import { type InstructionOptions, VERB_TIMEOUT_MS, type VerbContext } from '../verb/verb-context.ts';
import { interactiveElements } from './interactive-elements.ts';
import {
  writeObserveCache,
  type CacheableObserve,
  type ObservedElement,
  readObserveCache,
  rememberForAct,
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
 * Maximum number of elements in a result that get a fingerprint. `act()` uses it to find an element again after the
 * page has changed. A result with more elements is not cached.
 */
const MAX_FINGERPRINTS = 200;

/**
 * Finds actions on the settled page, in all frames. Takes no page lock, because it changes nothing. Without an
 * instruction, returns every element with a ref and calls no model. With an instruction:
 *
 * 1. With a cache: return the cached result if every element in it is found again, the page has as many elements with
 *    the same roles as before, and the policy accepts it, because someone may have edited the cache
 *    (`observe-memory.ts`). With `selfHeal: false`, no element may have moved. A hit writes nothing.
 * 2. Ask a model. Elements with unknown refs are dropped, and texts and files that the instruction does not contain.
 *    Placeholders of the caller's variables stay. If all elements are dropped, or one has an unknown placeholder, the
 *    model is asked once more. A second invalid response throws `LLMResponseError`.
 * 3. If it found nothing and requests a folded part of the page, read the page with this part and ask again, once.
 * 4. Return the elements by XPath, except those that left the page during the model call. Arguments keep placeholders.
 * 5. With a cache: store the result if it has 1 to 200 elements, each one can be distinguished from all others, and
 *    step 1 would accept it.
 *
 * In all cases, the driver remembers the first 200 elements, so that `act()` finds them again after the page has
 * changed.
 */
export async function observe(
  context: VerbContext,
  instruction: string | undefined,
  options: ObserveOptions = {},
): Promise<Action[]> {
  const { timeout = VERB_TIMEOUT_MS, signal } = options;
  const variables = new VariableTable(options.variables);
  checkObserve(instruction, options);
  using progress = new Progress({
    operation: 'observe',
    timeout,
    signals: [signal, context.signal, context.page.target.gone],
    obstacle: () => context.page.target.obstacle,
    timeoutError: ObserveTimeoutError,
  });
  await settlePage(progress, context.page.target, context.domSettleTimeout);
  const call: ObserveCall = { progress, context, options, variables };
  if (instruction === undefined) return await observeAll(call);

  const text = variables.readInstruction(instruction);
  const key = observeKey(context, instruction, options);
  const cacheable: CacheableObserve = { progress, context, key, instruction: text, variables };
  const cached = await readObserveCache(cacheable);
  if (cached) return cached;

  const withTree = await context.modelService.readsTree(progress, options.model);
  const wanted = { withTree, instruction: text, tokenBudget: context.tokenBudget };
  const snapshot = await readPage(call, wanted);
  const answer = await ask(call, { instruction: text, snapshot, mayExpand: true });
  if (!answer.expand || answer.elements.length > 0) return await rememberAndStore(cacheable, answer, snapshot);

  const expanded = await readPage(call, { ...wanted, expand: answer.expand });
  const second = await ask(call, { instruction: text, snapshot: expanded, mayExpand: false });
  return await rememberAndStore(cacheable, second, expanded);
}

function checkObserve(instruction: string | undefined, options: ObserveOptions): void {
  if ('instruction' in options)
    throw new DriverInvalidArgumentError(
      "instruction is not an option of observe. Pass it as the first argument: observe('the Save button', options).",
      { argument: 'instruction' },
    );
  if (instruction !== undefined) checkString('instruction', instruction);
}

interface ObserveCall {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly options: ObserveOptions;
  readonly variables: VariableTable;
}

async function observeAll(call: ObserveCall): Promise<Action[]> {
  const snapshot = await readPage(call, { withTree: true });
  const found = await toActions(call, interactiveElements(snapshot), snapshot);
  rememberForAct(call.context, found);
  return found.map(({ action }) => action);
}

async function readPage(
  { progress, context, options }: ObserveCall,
  wanted: Pick<SnapshotOptions & TreeOptions, 'withTree' | 'instruction' | 'tokenBudget' | 'expand'>,
): Promise<Snapshot> {
  const { selector, ignoreSelectors } = options;
  const snapshot = await takeSnapshot(progress, context.page.target, {
    ...(selector === undefined ? {} : { selector }),
    ...(ignoreSelectors === undefined ? {} : { ignoreSelectors }),
    withUrls: false,
    ...wanted,
  });
  logScopeFrame(context.log, { verb: 'observe', selector, snapshot });
  return snapshot;
}

async function rememberAndStore(
  call: CacheableObserve,
  { elements }: ObserveAnswer,
  snapshot: Snapshot,
): Promise<Action[]> {
  const found = await toActions(call, elements, snapshot);
  rememberForAct(call.context, found);
  await writeObserveCache(call, found);
  return found.map(({ action }) => action);
}

function observeKey({ page }: VerbContext, instruction: string, options: ObserveOptions): CacheKey {
  const { selector, ignoreSelectors, variables = {} } = options;
  const scope = { selector, ignoreSelectors };
  return { verb: 'observe', instruction, url: page.url(), variables: Object.keys(variables), scope };
}

interface Question {
  readonly instruction: string;
  readonly snapshot: Snapshot;
  /** True if the model can request a folded part of the page. */
  readonly mayExpand: boolean;
}

function ask(
  { progress, context, options, variables }: ObserveCall,
  question: Question,
): Promise<ObserveAnswer & ExpandingAnswer> {
  const { instruction, snapshot, mayExpand } = question;
  const { systemPrompt, boundary } = context;
  const messages = promptMessages({
    rules: rulesWithExpansion(OBSERVE_RULES, { snapshot, mayExpand }),
    systemPrompt,
    snapshot,
    boundary,
    task: `Instruction: ${instruction}`,
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
  const check = (output: unknown): CheckedElements =>
    checkAnswer(output as ObserveAnswer & ExpandingAnswer, question, variables);
  return context.modelService.ask(progress, request, { model: options.model, rules: { check } });
}

type CheckedElements = { value: ObserveAnswer & ExpandingAnswer } | { issues: readonly SchemaIssue[] };

/**
 * Drops elements with unknown refs, and arguments that the instruction does not mention. The other rules for steps do
 * not apply, because the caller decides which of the actions run. `modelService.ask` sends the issues to the model and
 * asks once more.
 */
function checkAnswer(
  answer: ObserveAnswer & ExpandingAnswer,
  { instruction, snapshot, mayExpand }: Question,
  variables: VariableTable,
): CheckedElements {
  const elements = answer.elements
    .filter(({ ref }) => snapshot.refs.has(ref))
    .map((element) => withoutUnmentionedArguments(element, { instruction, snapshot, variables }));
  // If all refs are unknown, the issues of these elements go to the model. An empty list would mean that none matches.
  const judged = elements.length > 0 ? elements : answer.elements;
  const issues =
    elements.length === 0 && answer.expand
      ? expansionIssues(answer, { snapshot, mayExpand })
      : judged.flatMap((element, index) => proposalIssues(element, { snapshot, variables, path: ['elements', index] }));
  return issues.length > 0 ? { issues } : { value: { ...answer, elements } };
}

/** Converts elements to actions by XPath. Leaves out elements that have left the page since the snapshot. */
async function toActions(
  { progress, context }: Pick<ObserveCall, 'progress' | 'context'>,
  found: readonly ProposedAction[],
  snapshot: Snapshot,
): Promise<ObservedElement[]> {
  const places = found.map(({ ref }) => snapshot.refs.get(ref));
  const known = places.filter((place) => place !== undefined);
  const [xpaths, fingerprints] = await Promise.all([
    refXPaths(progress, known),
    refFingerprints(progress, known.slice(0, MAX_FINGERPRINTS), fingerprintDetail(context)),
  ]);
  return found.flatMap(({ method, arguments: args, description }, index) => {
    const place = places[index];
    const xpath = place && xpaths.get(place);
    if (!place || xpath === undefined) return [];
    const action = { selector: `xpath=${xpath}`, description, method, arguments: [...args] };
    return [{ place, action, fingerprint: fingerprints.get(place) }];
  });
}
