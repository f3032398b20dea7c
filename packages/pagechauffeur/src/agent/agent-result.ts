import type { FinishReason, ModelMessage, ModelUsage } from '../model/model-client.ts';
import type { ActionEffect } from '../actions/element-action.ts';
import type { ScriptOptions } from './script/to-script.ts';

/** One action that the agent ran or tried to run. */
export interface AgentAction {
  /** Name of the tool. */
  readonly tool: string;
  /** Input of the tool, with `%name%` placeholders instead of values. */
  readonly input: unknown;
  /** The result as text, as sent to the model. */
  readonly result: string;
  readonly success: boolean;
  /** Observed effect on the page. */
  readonly effect?: ActionEffect;
  /** URL of the page. */
  readonly url: string;
  /** Step of the run, counted from 1. 0 for actions that were replayed without a model. */
  readonly step: number;
  readonly timestamp: string;
}

/** A tool call that the model requested, with fields named as in the AI SDK. */
export interface AgentToolCall {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  /** Contains `%name%` placeholders instead of values. */
  readonly input: unknown;
}

/** The result of a tool call, with fields named as in the AI SDK. */
export interface AgentToolResult extends Omit<AgentToolCall, 'type'> {
  readonly type: 'tool-result';
  /** The tool's result as text. */
  readonly output: string;
  readonly isError: boolean;
}

/** One step: a model call, and the tool calls that the model requested. */
export interface AgentStep {
  /** Counts from 1. */
  readonly step: number;
  /** The model's text apart from its tool calls. */
  readonly text: string;
  readonly actions: readonly AgentAction[];
  /** The reason why the model stopped: `tool-calls` if it requested tool calls. */
  readonly finishReason: FinishReason;
  /** Tool calls that the model requested. */
  readonly toolCalls: readonly AgentToolCall[];
  /** Results in the same order. Tool calls that did not run have none. */
  readonly toolResults: readonly AgentToolResult[];
  /** Usage of the step. */
  readonly usage: ModelUsage;
  /** Usage of the run so far. */
  readonly totalUsage: ModelUsage;
}

/** The result of a task. */
export interface AgentResult<Output = unknown> {
  /** True if the agent reports that the task is done and the completion check confirms it. */
  readonly success: boolean;
  /** True if the agent ended the run itself; false if a limit or a budget did. */
  readonly completed: boolean;
  /** The agent's answer. If a limit ended the run, names the limit and what the agent had gathered. */
  readonly message: string;
  readonly actions: readonly AgentAction[];
  /** Steps with a model call, oldest first. */
  readonly steps: readonly AgentStep[];
  /** Data that matches the `output` schema, if the agent returned any. */
  readonly output?: Output;
  /** The conversation. Pass it as `messages` to continue in another run. */
  readonly messages: readonly ModelMessage[];
  /** Tokens of all model calls. */
  readonly usage: ModelUsage;
  readonly metadata: AgentMetadata;
  /** Returns a TypeScript file that repeats the run without an agent, with this library or Playwright. */
  toScript(options?: ScriptOptions): string;
}

/** Details about how the task was completed. */
export interface AgentMetadata {
  /** Number of steps that were replayed from an earlier run without a model; see `cacheDir`. */
  readonly replayedSteps: number;
}

/** Result of the agent loop. */
export type RunOutcome = Omit<AgentResult, 'metadata' | 'steps' | 'toScript'>;

/** How a run ended. */
export type Ending = Pick<AgentResult, 'success' | 'completed' | 'message' | 'output'>;
