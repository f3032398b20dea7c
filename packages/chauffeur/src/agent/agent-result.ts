import type { ModelUsage } from '../model/model-client.ts';
import type { ActionEffect } from '../page/action/element-action.ts';

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
  /** Which step of the run it belongs to, from 1 on. */
  readonly step: number;
  readonly timestamp: string;
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
  /** Data of the `output` schema. */
  readonly output?: Output;
  /** Tokens of all models that were asked. */
  readonly usage: ModelUsage;
}
