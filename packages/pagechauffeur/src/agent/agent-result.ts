import type { FinishReason, ModelMessage, ModelUsage } from '../model/model-client.ts';
import type { ActionEffect } from '../page/action/element-action.ts';
import type { ScriptOptions } from './script/to-script.ts';

/** One thing that an agent did, or tried to do. */
export interface AgentAction {
  /** The name of the tool. */
  readonly tool: string;
  /** What the tool was given, with `%name%` placeholders in place of values. */
  readonly input: unknown;
  /** What came of it, as the model was told. */
  readonly result: string;
  readonly success: boolean;
  /** What the page showed for it. */
  readonly effect?: ActionEffect;
  /** The page that it was done on. */
  readonly url: string;
  /** Which step of the run it belongs to, from 1 on; 0 for what was done again from a run before, without a model. */
  readonly step: number;
  readonly timestamp: string;
}

/** A call that the model asked for, by the names of the AI SDK. */
export interface AgentToolCall {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  /** With `%name%` placeholders in place of values. */
  readonly input: unknown;
}

/** The result of a call, by the names of the AI SDK. */
export interface AgentToolResult extends Omit<AgentToolCall, 'type'> {
  readonly type: 'tool-result';
  /** What the tool answered, in words. */
  readonly output: string;
  readonly isError: boolean;
}

/** One step: a question to the model, and what it had done. */
export interface AgentStep {
  /** From 1 on. */
  readonly step: number;
  /** What the model said besides. */
  readonly text: string;
  readonly actions: readonly AgentAction[];
  /** Why the model stopped: `tool-calls` when it wants something done. */
  readonly finishReason: FinishReason;
  /** What the model asked for. */
  readonly toolCalls: readonly AgentToolCall[];
  /** What came of it, in the same order; none for a call that the run did not come to. */
  readonly toolResults: readonly AgentToolResult[];
  /** What the step has cost. */
  readonly usage: ModelUsage;
  /** What the run has cost so far. */
  readonly totalUsage: ModelUsage;
}

/** What came of a task. */
export interface AgentResult<Output = unknown> {
  /** The agent says that the task is done, and the final check agrees. */
  readonly success: boolean;
  /** The agent has come to its end; false when a limit or a budget ended it. */
  readonly completed: boolean;
  /** The agent's answer, or why it ended and what was gathered so far. */
  readonly message: string;
  readonly actions: readonly AgentAction[];
  /** The steps in which the model was asked, oldest first. */
  readonly steps: readonly AgentStep[];
  /** Data of the `output` schema; none when the agent had none to give. */
  readonly output?: Output;
  /** What was said, to go on with by the `messages` option of the next run. */
  readonly messages: readonly ModelMessage[];
  /** Tokens of all models that were asked. */
  readonly usage: ModelUsage;
  readonly metadata: AgentMetadata;
  /** What was done, as a TypeScript file that does it again without an agent: over this library, or over Playwright. */
  toScript(options?: ScriptOptions): string;
}

/** How a task was carried out. */
export interface AgentMetadata {
  /** Steps that were done again from an earlier run, without a model; see `cacheDir`. */
  readonly replayedSteps: number;
}

/** What came of a run of the loop. */
export type RunOutcome = Omit<AgentResult, 'metadata' | 'steps' | 'toScript'>;

/** How a run ended. */
export type Ending = Pick<AgentResult, 'success' | 'completed' | 'message' | 'output'>;
