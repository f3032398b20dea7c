import type { ModelMessage } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { Handoff } from '../tools/handoff.ts';
import type { SafetyCallback } from './computer-use/safety-check.ts';
import type { AgentAction, AgentResult, AgentStep } from './agent-result.ts';

/** A tool call that is about to run, passed to `onBeforeAction`. */
export interface PlannedAction {
  readonly tool: string;
  /** The tool's input. Variables appear as `%name%` placeholders. */
  readonly input: unknown;
  /** URL of the page that the tool would run on. */
  readonly url: string;
  readonly step: number;
  /** Role and name of the element that `input.ref` refers to, for example `button "Save"`. */
  readonly element?: string;
}

/** An event of a run, from `AgentRun.fullStream` or `onChunk`. */
export type AgentPart =
  | { readonly type: 'step-start'; readonly step: number }
  | { readonly type: 'text' | 'reasoning'; readonly step: number; readonly text: string }
  | { readonly type: 'tool-call'; readonly step: number; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly step: number; readonly action: AgentAction }
  | { readonly type: 'step-finish'; readonly step: number; readonly finished: AgentStep }
  | { readonly type: 'finish'; readonly result: AgentResult };

/** Passed to `onStart`. */
export interface AgentStart {
  readonly instruction: string;
  /** Model as `provider/model`. `undefined` if none is configured or it cannot be used. */
  readonly modelName: string | undefined;
  /** Names of the tools that the model can call. */
  readonly tools: readonly string[];
}

/** Passed to `onStepStart`. */
export interface AgentStepStart {
  /** Index of the step, starting at 0 as in the AI SDK. */
  readonly stepNumber: number;
  /** Completed steps, oldest first. */
  readonly steps: readonly AgentStep[];
}

/** Passed to `onAbort`. */
export interface AgentAbort {
  /** Completed steps, oldest first. */
  readonly steps: readonly AgentStep[];
  /** The `reason` of the abort signal. */
  readonly reason: unknown;
}

/** Passed to `prepareStep`. Fields are named as in the AI SDK. */
export interface PrepareStepOptions {
  /** Completed steps, oldest first. */
  readonly steps: readonly AgentStep[];
  /** Index of the next step, starting at 0. */
  readonly stepNumber: number;
  /** Model of the agent as `provider/model`. `undefined` if none is configured or it cannot be used. */
  readonly model: string | undefined;
  /** The system prompt that you set, without the library's own rules. */
  readonly instructions: string | undefined;
  /** The conversation so far, without system messages. */
  readonly messages: readonly ModelMessage[];
  /** Names of the tools that the model can call in this step. */
  readonly activeTools: readonly string[];
}

/** Returned by `prepareStep`. Omitted fields keep their values. */
export interface PreparedStep {
  /** Model for this step only. */
  model?: ModelConfiguration | undefined;
  /**
   * Names of the tools that the model can call in this step only. `done` is always available, and so is `computer` in
   * `mode: 'cua'`.
   */
  activeTools?: readonly string[] | undefined;
  /** System prompt from this step on. */
  instructions?: string | undefined;
  /** Conversation from this step on, for example `messages` with another message appended. */
  messages?: readonly ModelMessage[] | undefined;
}

/** Called before each step. Can replace the model, the tools, the system prompt and the conversation. */
export type PrepareStep = (
  options: PrepareStepOptions,
) => PreparedStep | undefined | void | Promise<PreparedStep | undefined | void>;

/**
 * Callbacks for a run. Names follow the AI SDK where it has an equivalent. An error from a callback that only observes
 * is logged and does not end the run.
 */
export interface AgentCallbacks {
  /**
   * Called before each tool call that can change something. Return `false` to refuse it, or a string to refuse it and
   * tell the model why. A callback that throws also refuses the call.
   */
  onBeforeAction?(action: PlannedAction): boolean | string | void | Promise<boolean | string | void>;
  /** Called when the agent needs a person: for a decision, a sign-in, a one-time code, a captcha or a payment. */
  onHandoff?: Handoff;
  /**
   * Called in mode `cua` when the provider wants a person to confirm an action. Return `true` to allow it. Without this
   * callback, the run ends with `completed: false`.
   */
  onSafetyCheck?: SafetyCallback;
  /** Called before each step. Can replace the model or the tools, for example. An error ends the run. */
  prepareStep?: PrepareStep;
  /** Called before the first model call. */
  onStart?(start: AgentStart): void | Promise<void>;
  /** Called before the model call of each step. */
  onStepStart?(start: AgentStepStart): void | Promise<void>;
  /** Called after each tool call, including refused and skipped ones. */
  onAction?(action: AgentAction): void | Promise<void>;
  /** Called after the tool calls of each step. */
  onStepEnd?(step: AgentStep): void | Promise<void>;
  /**
   * Called after each step if `onStepEnd` is not set.
   *
   * @deprecated Use `onStepEnd`.
   */
  onStepFinish?(step: AgentStep): void | Promise<void>;
  /**
   * Called for each event of the run, including text while the model streams it. After an interrupted response, its
   * text is sent again from the start.
   */
  onChunk?(part: AgentPart): void | Promise<void>;
  /** Called when the run fails with any error except an abort. */
  onError?(error: unknown): void | Promise<void>;
  /** Called when a signal aborts the run. */
  onAbort?(abort: AgentAbort): void | Promise<void>;
  /** Called with the result of the run, whether or not the task succeeded. */
  onEnd?(result: AgentResult): void | Promise<void>;
  /**
   * Called with the result of the run if `onEnd` is not set.
   *
   * @deprecated Use `onEnd`.
   */
  onFinish?(result: AgentResult): void | Promise<void>;
}
