import type { FinishReason, ModelMessage, ModelUsage } from '../model/model-client.ts';
import type { ActionEffect } from '../actions/element-action.ts';
import type { ScriptOptions } from './script/to-script.ts';

/** One action that the agent ran or tried to run. */
export interface AgentAction {
  /** Name of the tool. */
  readonly tool: string;
  /** Input of the tool, with `%name%` placeholders instead of values. */
  readonly input: unknown;
  /** The result as the model saw it. */
  readonly result: string;
  readonly success: boolean;
  /** Observed effect on the page. */
  readonly effect?: ActionEffect;
  /** URL of the page. */
  readonly url: string;
  /** Step of the run, counted from 1; 0 for actions replayed from an earlier run without a model. */
  readonly step: number;
  readonly timestamp: string;
}

/** A call that the model requested, by the names of the AI SDK. */
export interface AgentToolCall {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  /** Contains `%name%` placeholders instead of values. */
  readonly input: unknown;
}

/** The result of a call, by the names of the AI SDK. */
export interface AgentToolResult extends Omit<AgentToolCall, 'type'> {
  readonly type: 'tool-result';
  /** The tool's answer as text. */
  readonly output: string;
  readonly isError: boolean;
}

/** One step: a question to the model and the calls that it requested. */
export interface AgentStep {
  /** Counts from 1. */
  readonly step: number;
  /** Text of the model besides its calls. */
  readonly text: string;
  readonly actions: readonly AgentAction[];
  /** Why the model stopped: `tool-calls` if it requested calls. */
  readonly finishReason: FinishReason;
  /** Calls that the model requested. */
  readonly toolCalls: readonly AgentToolCall[];
  /** Results in the same order. Omits calls that the run did not reach. */
  readonly toolResults: readonly AgentToolResult[];
  /** Usage of the step. */
  readonly usage: ModelUsage;
  /** Usage of the run so far. */
  readonly totalUsage: ModelUsage;
}

/** The result of a task. */
export interface AgentResult<Output = unknown> {
  /** True if the agent says that the task is done and the completion check agrees. */
  readonly success: boolean;
  /** True if the agent finished by itself; false if a limit or a budget ended the run. */
  readonly completed: boolean;
  /** The agent's answer, or why the run ended and what it had gathered. */
  readonly message: string;
  readonly actions: readonly AgentAction[];
  /** Steps with a model call, oldest first. */
  readonly steps: readonly AgentStep[];
  /** Data of the `output` schema, if the agent had any. */
  readonly output?: Output;
  /** The conversation. Pass it as `messages` to continue in another run. */
  readonly messages: readonly ModelMessage[];
  /** Tokens of all models. */
  readonly usage: ModelUsage;
  readonly metadata: AgentMetadata;
  /** The run as a TypeScript file that repeats it without an agent, with this library or Playwright. */
  toScript(options?: ScriptOptions): string;
}

/** How the task was completed. */
export interface AgentMetadata {
  /** Steps that were replayed from an earlier run without a model; see `cacheDir`. */
  readonly replayedSteps: number;
}

/** Result of the agent loop. */
export type RunOutcome = Omit<AgentResult, 'metadata' | 'steps' | 'toScript'>;

/** How a run ended. */
export type Ending = Pick<AgentResult, 'success' | 'completed' | 'message' | 'output'>;
