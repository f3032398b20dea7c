import type { ModelCall, ModelUsage, StepAnswer } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import { callsOf, stepSchema } from '../model/step-answer.ts';
import type { Page } from '../page/page.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { Progress } from '../util/progress.ts';
import { fenced } from '../verb/fence.ts';
import { pageView } from '../verb/prompt.ts';
import type { VariableTable } from '../verb/variables.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import { beginningOf } from './agent-prompt.ts';
import type { AgentAction, AgentResult } from './agent-result.ts';
import { Conversation } from './conversation.ts';
import { LoopDetector } from './loop-detector.ts';
import { documentOf, PageWatch } from './page-watch.ts';
import { type CallRunner, type CarriedOut, runCalls, toResults } from './run-calls.ts';

/** Calls that one answer may ask for. */
const MOST_CALLS = 5;
/** Milliseconds that a tool may take when the run does not say. */
export const TOOL_TIMEOUT_MS = 60_000;
/** An answer without a call is answered so often; then the run ends. */
const MOST_SILENT_ANSWERS = 2;

/** A task, with all that was decided about how it is to be carried out. */
export interface Task {
  readonly instruction: string;
  readonly variables: VariableTable;
  readonly tools: readonly Tool[];
  readonly model: ModelConfiguration | undefined;
  readonly systemPrompt: string | undefined;
  readonly maxSteps: number;
  readonly toolTimeout: number;
  /** What the tools work with, for one call on a page. */
  toolContext(parts: Pick<ToolContext, 'progress' | 'page' | 'shown'> & ToolLinks): ToolContext;
  /** What verbs work with on a page. */
  verbs(page: Page): VerbContext;
  /** Asked before whatever may change something; why not, or undefined. */
  refusal(call: ModelCall, tool: Tool): Promise<string | undefined>;
  usage(): ModelUsage;
}

type ToolLinks = Pick<ToolContext, 'element' | 'expand' | 'usePage'>;

/** How a run ended. */
type Ending = Pick<AgentResult, 'success' | 'completed' | 'message' | 'output'>;

/** One run of an agent: a conversation with the model, one question a step, until it is done or a limit ends it. */
export class Run {
  readonly #task: Task;
  readonly #progress: Progress;
  readonly #conversation: Conversation;
  readonly #watch: PageWatch;
  readonly #loops = new LoopDetector();
  readonly #actions: AgentAction[] = [];
  #page: Page;
  #step = 0;
  #silentAnswers = 0;
  #lastId = 0;

  constructor(progress: Progress, task: Task, { page, withTree }: { page: Page; withTree: boolean }) {
    const { instruction, systemPrompt, variables } = task;
    this.#task = task;
    this.#progress = progress;
    this.#page = page;
    this.#conversation = new Conversation(beginningOf({ task: instruction, systemPrompt, variables: variables.known }));
    this.#watch = new PageWatch({ instruction, withTree, tokenBudget: task.verbs(page).tokenBudget });
  }

  /** Carries the task out. */
  async carryOut(): Promise<AgentResult> {
    const ending = await this.#untilEnd();
    return { ...ending, actions: this.#actions, usage: this.#task.usage() };
  }

  async #untilEnd(): Promise<Ending> {
    const { maxSteps } = this.#task;
    await this.#show();
    for (this.#step = 1; this.#step <= maxSteps; this.#step += 1) {
      const ending = await this.#takeStep();
      if (ending) return ending;
    }
    return { success: false, completed: false, message: `The task was not done within ${maxSteps} steps.` };
  }

  async #takeStep(): Promise<Ending | undefined> {
    const { answer, original } = await this.#ask();
    const calls = callsOf(answer, () => this.#newId());
    this.#conversation.addAnswer({ text: answer.text, calls, original });
    if (calls.length === 0) return this.#hearNothing(answer);
    const before = this.#pageSign();
    const done = await runCalls(calls, this.#runner());
    for (const item of done) this.#actions.push(this.#actionOf(item));
    this.#conversation.addResults(toResults(done));
    const ending = endingOf(done);
    if (ending) return ending;
    await this.#show();
    return this.#lookForLoop(calls, before);
  }

  async #ask(): Promise<{ answer: StepAnswer; original: unknown }> {
    const { tools, variables, instruction, model } = this.#task;
    const verbs = this.#task.verbs(this.#page);
    const shown = this.#watch.shown(this.#page);
    if (!shown) throw new TypeError('the page is shown before a model is asked');
    return verbs.desk.ask(
      this.#progress,
      {
        verb: 'agent',
        instruction,
        page: pageView(shown, variables.known),
        variables: variables.known,
        messages: this.#conversation.messages,
        tools,
        schema: stepSchema(tools, MOST_CALLS),
        schemaName: 'agent_step',
      },
      {
        model,
        rules: {
          check: (output, response) => ({ value: { answer: output as StepAnswer, original: response?.original } }),
        },
      },
    );
  }

  /** Looks at the page and tells what is to be seen. */
  async #show(): Promise<void> {
    const { variables } = this.#task;
    const { boundary } = this.#task.verbs(this.#page);
    const { kind, text } = await this.#watch.look(this.#progress, this.#page);
    const heading = `page ${JSON.stringify(await this.#page.title())} ${this.#page.url()}`;
    const seen =
      kind === 'same' ? 'Nothing in it has changed.' : fenced(`${heading}\n${text}`, boundary, variables.known);
    this.#conversation.addPage({ text: seen, isWhole: kind === 'page' });
  }

  #runner(): CallRunner {
    const { tools, toolTimeout } = this.#task;
    return {
      tools: new Map(tools.map((tool) => [tool.name, tool])),
      begin: () => this.#beginTool(toolTimeout),
      refusal: (call, tool) => this.#task.refusal(call, tool),
    };
  }

  #beginTool(timeout: number): ToolContext & Disposable {
    const page = this.#page;
    const progress = new Progress({
      operation: 'agent',
      timeout: Math.min(timeout, this.#progress.remaining),
      signals: [this.#progress.signal],
      obstacle: () => page.target.obstacle,
    });
    const context = this.#task.toolContext({
      progress,
      page,
      shown: this.#watch.shown(page),
      element: (ref) => this.#watch.element(page, ref),
      expand: (ref) => this.#watch.expand(ref),
      usePage: (other) => {
        this.#page = other;
      },
    });
    return { ...context, [Symbol.dispose]: () => progress[Symbol.dispose]() };
  }

  #hearNothing({ text }: StepAnswer): Ending | undefined {
    this.#silentAnswers += 1;
    if (this.#silentAnswers > MOST_SILENT_ANSWERS)
      return { success: false, completed: false, message: text || 'The model asked for nothing to be done.' };
    this.#conversation.addWords('Call a tool. When the task is done, or cannot be, call done.');
    return undefined;
  }

  #lookForLoop(calls: readonly ModelCall[], before: string): Ending | undefined {
    const deed = JSON.stringify(calls.map(({ tool, input }) => [tool, input]));
    const verdict = this.#loops.note(deed, `${before} ${this.#pageSign()}`);
    if (verdict.kind === 'stop') return { success: false, completed: false, message: verdict.text };
    if (verdict.kind === 'tell') this.#conversation.addWords(verdict.text);
    return undefined;
  }

  #pageSign(): string {
    return `${documentOf(this.#page)} ${this.#page.url()} ${this.#watch.shown(this.#page)?.text ?? ''}`;
  }

  #actionOf({ call: { tool, input }, outcome, url }: CarriedOut): AgentAction {
    const { text, isError = false, effect } = outcome;
    const when = { step: this.#step, timestamp: new Date().toISOString() };
    return { tool, input, result: text, success: !isError, ...(effect && { effect }), url, ...when };
  }

  #newId(): string {
    this.#lastId += 1;
    return `call-${this.#lastId}`;
  }
}

function endingOf(done: readonly CarriedOut[]): Ending | undefined {
  const end = done.find(({ tool, outcome }) => tool?.kind === 'end' && !outcome.isError);
  if (!end) return undefined;
  const { success, output } = end.outcome.data as { success: boolean; output?: unknown };
  return { success, completed: true, message: end.outcome.text, ...(output === undefined ? {} : { output }) };
}
