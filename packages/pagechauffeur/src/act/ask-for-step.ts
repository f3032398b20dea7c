import type { SchemaIssue } from '../errors.ts';
import { canonicalMethod } from '../actions/methods.ts';
import { ACT_OUTCOMES, type ActAnswer, type Intent, type JsonSchema } from '../model/model-client.ts';
import type { Healing } from '../policy/step-limits.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import {
  type ExpandingAnswer,
  expansionIssues,
  rulesWithExpansion,
  schemaWithExpansion,
} from '../model/fold-expansion.ts';
import { markUntrusted } from '../model/untrusted-text.ts';
import { pageView, promptMessages, type ShownPage } from '../model/prompt.ts';
import { PROPOSED_ACTION_SCHEMA, proposalIssues } from '../policy/proposed-action.ts';
import type { VariableTable } from '../policy/variables.ts';
import type { DoneStep } from '../verb/perform-step.ts';
import { type ActCall, readPage } from './act-call.ts';

const ACT_RULES = `You choose the one step that performs an instruction on the page.
- click is for buttons, links, tabs and options; fill replaces the whole text of a field, type appends to it; to change part of a longer text, replace takes existing words (enough to be unique) and new ones, insert takes the words to insert after and new ones, append takes only new ones, with \n between lines; press takes a key such as Enter; check and uncheck are for checkboxes and switches.
- select is for elements that list options and takes an option's label. Click any other dropdown, with twoStep true if its options are not on the page yet; you are then asked for the option.
- scrollTo scrolls the element into view, or with a percentage scrolls its content that far down; nextChunk and prevChunk scroll by one screen; dragAndDrop takes the ref to drop on; upload takes file paths.
- If several elements match, choose the one whose row, section, dialog, heading or position the instruction names; if they all do the same, the first. If nothing distinguishes them, action is null, outcome is "ambiguous" and candidates lists all their refs.
- If nothing on the page matches, action is null, reason says what is missing, candidates lists the refs of the nearest matches. Never choose something else instead.
- For an action, reason is empty and candidates is an empty list.`;

const CANVAS_RULE =
  '\n- On a canvas, click, doubleClick, rightClick and hover take a point such as "120,40" from its top left corner, if the instruction names one.';

/** Only pages with a canvas need the rule about points. */
function actRules({ text }: Snapshot): string {
  return /^\s*\S+ canvas\b/m.test(text) ? ACT_RULES + CANVAS_RULE : ACT_RULES;
}

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

/** The parts of the prompt that differ between the model calls of one `act()`. */
export interface ActQuestion {
  readonly intent: Intent;
  /** The whole page. The model's refs and the text that it types are checked against this. */
  readonly snapshot: Snapshot;
  /** Lines that changed since an earlier snapshot. The prompt shows them instead of the page. */
  readonly changes?: string | undefined;
  /** What this call has already done or tried, which can quote the page, and the remaining task. */
  readonly past?: { readonly happened: string; readonly task: string };
  /** Set if the step replaces one that failed. */
  readonly healing?: Healing;
  /** True if the model can request a folded part of the page; default true. */
  readonly mayExpand?: boolean;
}

/** The model's response, and the snapshot that its refs refer to. */
export interface AskedStep extends ActAnswer {
  readonly snapshot: Snapshot;
  /** True if the model requested a folded part, which took a second model call. */
  readonly hasExpanded: boolean;
}

/** The words that decide which parts of a large page a snapshot shows. */
export function wordsOf(intent: Intent): string {
  return intent.kind === 'instruction' ? intent.text : intent.description;
}

/** Tells the model which steps of this call have run. Returns `''` if there are none. */
export function doneSentence(done: readonly DoneStep[]): string {
  return done.length === 0 ? '' : `Already done: ${done.map(({ action }) => action.description).join('; ')}.`;
}

/**
 * Asks the model for one step. Instead of a step, the model can request a folded part of the page. Then the page is
 * read again with this part expanded, and the model is asked a second time.
 */
export async function askForStep(call: ActCall, question: ActQuestion): Promise<AskedStep> {
  const { intent, snapshot } = question;
  const answer = await askOnce(call, question);
  const { expand, action } = answer;
  if (!expand || action) return { ...answer, snapshot, hasExpanded: false };
  call.progress.log(`the model requests the folded part at ${expand}`);
  const expanded = await readPage(call, { instruction: wordsOf(intent), expand });
  const last = await askOnce(call, { ...question, snapshot: expanded, changes: undefined, mayExpand: false });
  return { ...last, snapshot: expanded, hasExpanded: true };
}

const CHANGES_NOTE = 'Only the changes of the page are shown: `*` marks new lines, `~` changed ones. ';

function askOnce(
  { progress, context, variables, model }: ActCall,
  question: ActQuestion,
): Promise<ActAnswer & ExpandingAnswer> {
  const { intent, snapshot, changes, past, mayExpand = true } = question;
  const { systemPrompt, boundary } = context;
  const page = changes === undefined ? snapshot : onlyChanges(snapshot, changes);
  const note = changes === undefined ? '' : CHANGES_NOTE;
  const history = past ? `\n${markUntrusted(past.happened, boundary)}\n${note}${past.task}` : '';
  const messages = promptMessages({
    rules: rulesWithExpansion(actRules(snapshot), { snapshot, mayExpand }),
    systemPrompt,
    snapshot: page,
    boundary,
    task: `${taskOf(intent, boundary)}${history}`,
    variables: variables.known,
  });
  const request = {
    verb: 'act',
    instruction: wordsOf(intent),
    intent,
    page: pageView(page, variables.known),
    variables: variables.known,
    messages,
    schema: schemaWithExpansion(ACT_SCHEMA, { snapshot, mayExpand }),
    schemaName: 'act_answer',
  } as const;
  return context.modelService.ask(progress, request, {
    model,
    rules: { check: (output) => checkAnswer(output as ActAnswer & ExpandingAnswer, question, variables) },
  });
}

function onlyChanges(snapshot: Snapshot, text: string): ShownPage {
  const { url, title } = snapshot;
  return {
    url,
    title,
    text,
    // Computed on demand: most model clients read only the text.
    get nodes() {
      return snapshot.nodes;
    },
  };
}

/** A description can contain page text, so it is enclosed in boundary lines. */
function taskOf(intent: Intent, boundary: string): string {
  if (intent.kind === 'instruction') return `Instruction: ${intent.text}`;
  const { method, arguments: args, description } = intent;
  const given = args.length > 0 ? ` with the arguments ${JSON.stringify(args)}` : '';
  return `Instruction: perform only ${method}${given}, on the element that is described between the next two boundary lines.\n${markUntrusted(description, boundary)}`;
}

/**
 * Checks the step against the page and the instruction. Without a step, checks the requested fold. `modelService.ask`
 * sends the issues to the model and asks once more.
 */
function checkAnswer(
  answer: ActAnswer & ExpandingAnswer,
  { snapshot, intent, healing, mayExpand = true }: ActQuestion,
  variables: VariableTable,
): { value: ActAnswer & ExpandingAnswer } | { issues: readonly SchemaIssue[] } {
  const issues = answer.action
    ? [
        ...proposalIssues(answer.action, { snapshot, variables, intent, healing, path: ['action'] }),
        ...unchosenOption(answer, intent),
      ]
    : expansionIssues(answer, { snapshot, mayExpand });
  return issues.length > 0 ? { issues } : { value: answer };
}

/**
 * A failed `select` action can heal as a click on the option. A click that only opens the list would end the call
 * without a choice, because an action has no second step.
 */
function unchosenOption({ action, twoStep }: ActAnswer, intent: Intent): readonly SchemaIssue[] {
  const isOpening = intent.kind === 'heal' && canonicalMethod(intent.method) === 'select' && action?.method === 'click';
  if (!isOpening || !twoStep) return [];
  const option = JSON.stringify(intent.arguments);
  return [{ path: ['twoStep'], message: `this click does not choose ${option}, and no other step follows` }];
}
