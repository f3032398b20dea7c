import type { FinishReason, ModelMessage, ModelUsage } from '../model/model-client.ts';
import type { ActionEffect } from '../actions/element-action.ts';
import type { ScriptOptions } from './script/to-script.ts';

/** One tool call that the agent made. */
export interface AgentAction {
  /** Name of the tool, for example `click`. */
  readonly tool: string;
  /** Input of the tool. Variables appear as `%name%` placeholders. */
  readonly input: unknown;
  /** Text of the tool's result. */
  readonly result: string;
  readonly success: boolean;
  /** Effect on the page, if the tool acts on it. */
  readonly effect?: ActionEffect;
  /** URL of the page when the tool was called. */
  readonly url: string;
  /** Number of the step, starting at 1. 0 for actions that were replayed without a model. */
  readonly step: number;
  readonly timestamp: string;
}

/** A tool call that the model requested. Fields are named as in the AI SDK. */
export interface AgentToolCall {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  /** Input of the tool. Variables appear as `%name%` placeholders. */
  readonly input: unknown;
}

/** Result of a tool call. Fields are named as in the AI SDK. */
export interface AgentToolResult extends Omit<AgentToolCall, 'type'> {
  readonly type: 'tool-result';
  /** Text of the tool's result. */
  readonly output: string;
  readonly isError: boolean;
}

/** One step: a model call, and the tool calls that the model requested. */
export interface AgentStep {
  /** Number of the step, starting at 1. */
  readonly step: number;
  /** Text that the model wrote besides its tool calls. */
  readonly text: string;
  readonly actions: readonly AgentAction[];
  /** Why the model stopped, for example `tool-calls` or `length`. */
  readonly finishReason: FinishReason;
  /** Tool calls that the model requested, whether or not they were run. */
  readonly toolCalls: readonly AgentToolCall[];
  /** Results in the order of `toolCalls`, including those of refused and skipped calls. */
  readonly toolResults: readonly AgentToolResult[];
  /** Usage of this step. */
  readonly usage: ModelUsage;
  /** Usage of the run up to and including this step. */
  readonly totalUsage: ModelUsage;
}

/** Result of `Agent.execute`. */
export interface AgentResult<Output = unknown> {
  /** True if the agent reported success, and all evidence that it cited was found. */
  readonly success: boolean;
  /** True if the agent ended the run. False if something else did, such as `maxSteps` or `budget`. */
  readonly completed: boolean;
  /** The agent's answer. If the run was not completed: why, and what the agent had read so far. */
  readonly message: string;
  readonly actions: readonly AgentAction[];
  /** All completed steps with a model call, oldest first. Replayed steps are only in `actions`. */
  readonly steps: readonly AgentStep[];
  /** Data that matches the `output` schema. `undefined` if the task has no schema or failed without data. */
  readonly output?: Output;
  /** The conversation. Pass it as `messages` to continue in another run. */
  readonly messages: readonly ModelMessage[];
  /** Usage of all model calls in the run. */
  readonly usage: ModelUsage;
  readonly metadata: AgentMetadata;
  /** Returns a TypeScript file that repeats the run without an agent, with this library or with Playwright. */
  toScript(options?: ScriptOptions): string;
}

/** How much of the run was replayed from the cache. */
export interface AgentMetadata {
  /** Number of steps that were replayed from the cache without a model; see `cacheDir`. */
  readonly replayedSteps: number;
}

/** The part of an {@link AgentResult} that the agent loop returns. */
export type RunOutcome = Omit<AgentResult, 'metadata' | 'steps' | 'toScript'>;

export type Ending = Pick<AgentResult, 'success' | 'completed' | 'message' | 'output'>;
