import type { AgentTask } from '../../packages/pagechauffeur/test/agent-tasks/agent-task.ts';
import type { Decision, Wanted } from '../../packages/pagechauffeur/test/agent-tasks/decision.ts';
import { readOff } from '../../packages/pagechauffeur/test/agent-tasks/next-calls.ts';
import { type Answer, type Question, shownTexts } from './measured-model.ts';
import { elementIdIn } from './stagehand-tree.ts';

/** A response to the agent loop: a tool call. */
interface Turn {
  readonly tool: string;
  readonly input: object;
  /** Decisions for the requests that the tool itself sends. */
  readonly decisions: readonly Decision[];
}

/**
 * Translates the decisions of a task for Stagehand's agent. The agent reads the page with a tool at the beginning of
 * each step and acts on sentences. For each sentence, the tool sends another request to choose the element. One tool
 * call can fill several fields.
 */
export class StagehandScript {
  #task: AgentTask | undefined;
  #turns: Turn[] = [];
  #pending: readonly Decision[] = [];
  /** Requests from the agent loop. */
  steps = 0;

  begin(task: AgentTask): void {
    this.#task = task;
    this.#turns = task.steps.flatMap(turnsOf);
    this.steps = 0;
  }

  answer(question: Question): Answer {
    if (question.responseFormat?.type === 'json')
      return [{ type: 'text', text: JSON.stringify(this.#chosen(question)) }];
    if (question.tools?.some(({ name }) => name === 'done')) return [callOf('done', this.#assessment(question))];
    this.steps += 1;
    const turn = this.#turns.shift();
    if (!turn) return [{ type: 'text', text: this.#message(question) }];
    this.#pending = turn.decisions;
    return [callOf(turn.tool, turn.input)];
  }

  /** `observe` expects a list of elements, `act` a single one. */
  #chosen(question: Question): object {
    // The instruction precedes the page.
    const [, tree = ''] = shownTexts(question).join('\n').split('Accessibility Tree:');
    const actions = this.#pending.map((decision) => actionOf(decision, tree));
    const isList = JSON.stringify(question.responseFormat).includes('"elements"');
    return isList ? { elements: actions } : { action: actions[0] ?? null, twoStep: false };
  }

  #assessment(question: Question): object {
    return { reasoning: this.#message(question), taskComplete: true };
  }

  #message(question: Question): string {
    const last = this.#task?.steps.at(-1)?.find(({ tool }) => tool === 'done');
    const message = String(last?.input['message'] ?? '');
    return last?.reads ? message.replace('$1', readOff(shownTexts(question), last.reads)) : message;
  }
}

function turnsOf(decisions: readonly Decision[]): readonly Turn[] {
  const [first] = decisions;
  // The final step needs a new page read only if it extracts data.
  if (first?.tool === 'done' && !first.reads) return [];
  const acts = decisions.filter(({ tool }) => tool !== 'done');
  const filled = acts.filter(isPlainFill);
  const isForm = filled.length > 1;
  return [
    { tool: 'ariaTree', input: {}, decisions: [] },
    ...(isForm ? [formTurn(filled)] : []),
    ...acts.filter((decision) => !isForm || !isPlainFill(decision)).flatMap(turnOf),
  ];
}

function isPlainFill({ tool, input }: Decision): boolean {
  return tool === 'fill' && input['submit'] !== true;
}

function formTurn(decisions: readonly Decision[]): Turn {
  return { tool: 'fillForm', input: { fields: decisions.map((one) => ({ action: sentenceOf(one) })) }, decisions };
}

function turnOf(decision: Decision): readonly Turn[] {
  const { tool, input } = decision;
  if (tool === 'press') return [keysTurn(String(input['keys']))];
  if (tool === 'back')
    return [{ tool: 'navback', input: { reasoningText: 'The page before is needed.' }, decisions: [] }];
  const act = { tool: 'act', input: { action: sentenceOf(decision) }, decisions: [decision] };
  return input['submit'] === true ? [act, keysTurn('Enter')] : [act];
}

function keysTurn(value: string): Turn {
  return { tool: 'keys', input: { method: 'press', value }, decisions: [] };
}

function sentenceOf({ tool, elements, input }: Decision): string {
  const { role = '', name = '', after } = elements['ref'] ?? {};
  const place = `the ${name} ${role}${after === undefined ? '' : ` at ${String(after)}`}`;
  if (tool === 'fill') return `type ${String(input['text'])} into ${place}`;
  if (tool === 'select') return `choose ${String(input['options'])} in ${place}`;
  return `${input['twice'] === true ? 'double click' : 'click'} ${place}`;
}

function actionOf({ tool, elements, input }: Decision, tree: string): object {
  const { ref = { role: '', name: '' } } = elements;
  return { elementId: elementIdIn(tree, ref), description: describe(ref), ...methodOf(tool, input) };
}

function methodOf(tool: string, input: Decision['input']): { method: string; arguments: readonly string[] } {
  if (tool === 'fill') return { method: 'fill', arguments: [String(input['text'])] };
  if (tool === 'select') return { method: 'selectOptionFromDropdown', arguments: [String(input['options'])] };
  return { method: input['twice'] === true ? 'doubleClick' : 'click', arguments: [] };
}

function describe({ role, name }: Wanted): string {
  return `the ${name} ${role}`;
}

let lastCall = 0;

function callOf(toolName: string, input: object): Answer[number] {
  lastCall += 1;
  return { type: 'tool-call', toolCallId: `call-${lastCall}`, toolName, input: JSON.stringify(input) };
}
