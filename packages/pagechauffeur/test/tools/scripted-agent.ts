import type { AgentAction, AgentConfig, AgentResult, Driver, ExecuteOptions, ModelRequest } from '../../src/index.ts';
import { grouped } from '../../src/model/tool-groups.ts';
import { type LineQuery, refOf, ScriptedModel } from '../../src/testing.ts';

/** One call of a model; what stands under `on`, `to` or `in` is replaced by the ref of that line in `ref`, `to` or `ref`. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input?: object;
  readonly on?: LineQuery;
  readonly to?: LineQuery;
}

/** What one run has shown. */
export interface Shown {
  readonly result: AgentResult;
  /** The calls, without the one that ends the run. */
  readonly actions: readonly AgentAction[];
  /** What the model was told of each call, in the order of the calls. */
  readonly told: readonly string[];
  /** What it was asked. */
  readonly requests: readonly ModelRequest[];
}

/** A model with a new script for each run, so that many runs share a browser. */
export class ScriptedAgent {
  readonly model: ScriptedModel;
  #steps: readonly (readonly ScriptedCall[])[] = [];
  #asked: ModelRequest[] = [];

  constructor() {
    this.model = new ScriptedModel((request) => this.#answer(request), { allowUnknownRefs: true });
  }

  /** Runs an agent that makes these calls, each list of them in a step of its own, and is done. */
  async run(
    driver: Driver,
    steps: readonly (readonly ScriptedCall[])[],
    { config = {}, ...options }: Partial<ExecuteOptions> & { config?: AgentConfig } = {},
  ): Promise<Shown> {
    this.#steps = steps;
    this.#asked = [];
    const agent = driver.agent({ ...config, stream: false });
    const result = await agent.execute({ instruction: 'Do it', ...options });
    const told = this.#asked.at(-1)?.messages.flatMap(({ results = [] }) => results.map(({ text }) => text)) ?? [];
    const actions = result.actions.filter(({ tool }) => tool !== 'done');
    return { result, actions, told, requests: this.#asked };
  }

  #answer(request: ModelRequest): unknown {
    if (request.verb !== 'agent') return { found: [{ price: request.page.text.includes('42') ? '42' : 'none' }] };
    this.#asked.push(request);
    const step = this.#steps[this.#asked.length - 1];
    const end = [{ tool: 'done', input: { success: false, message: 'That was all.' } }];
    return { text: '', calls: step?.map((call) => written(request, call)) ?? end };
  }
}

function written(request: ModelRequest, { tool, input = {}, on, to }: ScriptedCall): object {
  return grouped({
    tool,
    input: { ...input, ...(on && { ref: refOf(request, on) }), ...(to && { to: refOf(request, to) }) },
  });
}
