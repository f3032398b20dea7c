import type { SchemaIssue } from '../errors.ts';
import { ACT_OUTCOMES, type ActAnswer, type Intent, type JsonSchema } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { Healing } from '../policy/step-limits.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Progress } from '../util/progress.ts';
import {
  type ExpandingAnswer,
  expansionIssues,
  rulesWithExpansion,
  schemaWithExpansion,
} from '../model/fold-expansion.ts';
import { markUntrusted } from '../model/untrusted-text.ts';
import { pageView, promptMessages } from '../model/prompt.ts';
import { PROPOSED_ACTION_SCHEMA, proposalIssues } from '../policy/proposed-action.ts';
import type { VariableTable } from '../policy/variables.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import { readPage } from './act-call.ts';

const ACT_RULES = `You choose the one step that performs an instruction on the page.
- click is for buttons, links, tabs and options; fill replaces the whole text of a field, type appends to it; to change part of a longer text, replace takes existing words (enough to be unique) and new ones, insert takes the words to insert after and new ones, append takes only new ones, with \n between lines; press takes a key such as Enter; check and uncheck are for checkboxes and switches.
- select is for elements that list options and takes an option's label. Click any other dropdown, with twoStep true if its options are not on the page yet; you are then asked for the option.
- scrollTo scrolls the element into view, or with a percentage scrolls its content that far down; nextChunk and prevChunk scroll by one screen; dragAndDrop takes the ref to drop on; upload takes file paths.
- If several elements match, choose the one whose row, section, dialog, heading or position the instruction names; if they all do the same, the first. If nothing distinguishes them, action is null, outcome is "ambiguous" and candidates lists all their refs.
- If nothing on the page matches, action is null, reason says what is missing, candidates lists the refs of the nearest matches. Never choose something else instead.
- For an action, reason is empty and candidates is an empty list.`;

const ACT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    action: { anyOf: [PROPOSED_ACTION_SCHEMA, { type: 'null' }] },
    twoStep: {
      type: 'boolean',
      description: 'true if the step only opens something, in which the instruction continues',
    },
    outcome: { type: 'string', enum: ACT_OUTCOMES },
    reason: { type: 'string' },
    candidates: { type: 'array', items: { type: 'string' } },
  },
  required: ['action', 'twoStep', 'reason', 'candidates'],
  additionalProperties: false,
};

/** A prompt for the model: the purpose of the step, and what ran or failed before it. */
export interface ActQuestion {
  readonly intent: Intent;
  readonly variables: VariableTable;
  readonly snapshot: Snapshot;
  readonly model: ModelConfiguration | undefined;
  /** The result of an earlier step of this call, which can contain page text, and the remaining task. */
  readonly before?: { readonly happened: string; readonly task: string };
  /** Set if the step replaces one that failed. */
  readonly healing?: Healing;
  /** True if the model can ask to expand a folded part; default true. */
  readonly mayExpand?: boolean;
}

/** The model's response, and the snapshot that its refs refer to. */
export interface AskedStep extends ActAnswer {
  readonly snapshot: Snapshot;
  /** True if the model asked to expand a folded part, which caused a second model call. */
  readonly hasExpanded: boolean;
}

/** Text that describes the step. A large snapshot is shortened to the parts that match its words. */
export function wordsOf(intent: Intent): string {
  return intent.kind === 'instruction' ? intent.text : intent.description;
}

/** Asks the model for the next step. If the model wants a folded part expanded, expands it and asks again. */
export async function askForStep(progress: Progress, context: VerbContext, question: ActQuestion): Promise<AskedStep> {
  const answer = await askOnce(progress, context, question);
  const { expand, action } = answer;
  if (!expand || action) return { ...answer, snapshot: question.snapshot, hasExpanded: false };
  progress.log(`the model requests the folded part at ${expand}`);
  const wanted = { instruction: wordsOf(question.intent), expand };
  const snapshot = await readPage({ progress, context, ...question }, wanted);
  const last = await askOnce(progress, context, { ...question, snapshot, mayExpand: false });
  return { ...last, snapshot, hasExpanded: true };
}

function askOnce(
  progress: Progress,
  context: VerbContext,
  question: ActQuestion,
): Promise<ActAnswer & ExpandingAnswer> {
  const { intent, variables, snapshot, model, before, mayExpand = true } = question;
  const { systemPrompt, boundary } = context;
  const past = before ? `\n${markUntrusted(before.happened, boundary)}\n${before.task}` : '';
  const task = `${taskOf(intent, boundary)}${past}`;
  const messages = promptMessages({
    rules: rulesWithExpansion(ACT_RULES, { snapshot, mayExpand }),
    systemPrompt,
    snapshot,
    boundary,
    task,
    variables: variables.known,
  });
  const request = {
    verb: 'act',
    instruction: wordsOf(intent),
    intent,
    page: pageView(snapshot, variables.known),
    variables: variables.known,
    messages,
    schema: schemaWithExpansion(ACT_SCHEMA, { snapshot, mayExpand }),
    schemaName: 'act_answer',
  } as const;
  return context.modelService.ask(progress, request, {
    model,
    rules: { check: (output) => checkAnswer(output as ActAnswer & ExpandingAnswer, question) },
  });
}

/** The task for the model. A description can contain page text, so it is marked as untrusted. */
function taskOf(intent: Intent, boundary: string): string {
  if (intent.kind === 'instruction') return `Instruction: ${intent.text}`;
  const { method, arguments: args, description } = intent;
  const given = args.length > 0 ? ` with the arguments ${JSON.stringify(args)}` : '';
  return `Instruction: perform only ${method}${given}, on the element that is described between the next two boundary lines.\n${markUntrusted(description, boundary)}`;
}

function checkAnswer(
  answer: ActAnswer & ExpandingAnswer,
  { snapshot, variables, intent, healing, mayExpand = true }: ActQuestion,
): { value: ActAnswer & ExpandingAnswer } | { issues: readonly SchemaIssue[] } {
  const issues = answer.action
    ? proposalIssues(answer.action, { snapshot, variables, intent, healing, path: ['action'] })
    : expansionIssues(answer, { snapshot, mayExpand });
  return issues.length > 0 ? { issues } : { value: answer };
}
