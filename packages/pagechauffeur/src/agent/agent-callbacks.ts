import type { ModelMessage } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { Handoff } from '../tools/handoff.ts';
import type { SafetyCallback } from './computer-use/safety-check.ts';
import type { AgentAction, AgentResult, AgentStep } from './agent-result.ts';

/** A call that is about to run, passed to `onBeforeAction`. */
export interface PlannedAction {
  readonly tool: string;
  /** The tool's input, with `%name%` placeholders instead of values. */
  readonly input: unknown;
  /** URL of the page that the call would run on. */
  readonly url: string;
  readonly step: number;
  /** The element of the input's ref, for example `button "Save"`. `undefined` if the input has no ref. */
  readonly element?: string;
}

/** One event of a run. */
export type AgentPart =
  | { readonly type: 'step-start'; readonly step: number }
  | { readonly type: 'text' | 'reasoning'; readonly step: number; readonly text: string }
  | { readonly type: 'tool-call'; readonly step: number; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly step: number; readonly action: AgentAction }
  | { readonly type: 'step-finish'; readonly step: number; readonly finished: AgentStep }
  | { readonly type: 'finish'; readonly result: AgentResult };

/** Start of a run. */
export interface AgentStart {
  readonly instruction: string;
  /** `provider/model`, or `undefined` if no model is available. */
  readonly modelName: string | undefined;
  /** Names of the tools that the model receives. */
  readonly tools: readonly string[];
}

/** Start of a step. */
export interface AgentStepStart {
  /** Counts from 0, as in the AI SDK. */
  readonly stepNumber: number;
  /** Completed steps, oldest first. */
  readonly steps: readonly AgentStep[];
}

/** An aborted run. */
export interface AgentAbort {
  /** Completed steps, oldest first. */
  readonly steps: readonly AgentStep[];
  /** The reason of the abort signal. */
  readonly reason: unknown;
}

/** Settings of the next step, named as in the AI SDK. */
export interface PrepareStepOptions {
  /** Completed steps, oldest first. */
  readonly steps: readonly AgentStep[];
  /** Number of the next step, counted from 0. */
  readonly stepNumber: number;
  /** The agent's model as `provider/model`, or `undefined` if none is available. */
  readonly model: string | undefined;
  /** Your system prompt. */
  readonly instructions: string | undefined;
  /** The conversation so far, without the rules that this library adds. */
  readonly messages: readonly ModelMessage[];
  /** Names of the tools that the model receives. */
  readonly activeTools: readonly string[];
}

/** Changes to the settings of a step. Omitted fields keep their values. */
export interface PreparedStep {
  /** Another model, for this step only. */
  model?: ModelConfiguration | undefined;
  /**
   * Names of the tools that the model receives in this step only. `done` is always included, and with `mode: 'cua'`
   * also `computer`.
   */
  activeTools?: readonly string[] | undefined;
  /** Your system prompt, from this step on. */
  instructions?: string | undefined;
  /** The conversation, from this step on: for example, the current one with another message at its end. */
  messages?: readonly ModelMessage[] | undefined;
}

/** Called before each step; can change its settings. */
export type PrepareStep = (
  options: PrepareStepOptions,
) => PreparedStep | undefined | void | Promise<PreparedStep | undefined | void>;

/**
 * Callbacks of a run, named as in the AI SDK where it has them. Errors of callbacks that only receive events are
 * logged.
 */
export interface AgentCallbacks {
  /**
   * Called before each call that may change something. Return `false` to refuse the call, or a string to refuse it with
   * a reason for the model. If the callback throws, the call is refused, too.
   */
  onBeforeAction?(action: PlannedAction): boolean | string | void | Promise<boolean | string | void>;
  /** Called when the agent needs a person: for a decision, a sign-in, a code, a captcha or a payment. */
  onHandoff?: Handoff;
  /**
   * Called in mode `cua` when the provider requires a person to confirm an action. Return `true` to allow it. Without
   * this callback, the run ends there with `completed: false`.
   */
  onSafetyCheck?: SafetyCallback;
  /** Called before each step; can change its settings, such as the model or the tools. An error ends the run. */
  prepareStep?: PrepareStep;
  /** Called when the run starts, before the first model call. */
  onStart?(start: AgentStart): void | Promise<void>;
  /** Called when a step starts, before its model call. */
  onStepStart?(start: AgentStepStart): void | Promise<void>;
  /** Called after each tool call that ran or was refused. */
  onAction?(action: AgentAction): void | Promise<void>;
  /** Called when a step ends. */
  onStepEnd?(step: AgentStep): void | Promise<void>;
  /**
   * Called when a step ends, if there is no `onStepEnd`.
   *
   * @deprecated Use `onStepEnd`.
   */
  onStepFinish?(step: AgentStep): void | Promise<void>;
  /**
   * Called for each event of the run, including the model's text as it streams. If a response breaks off, its text is
   * repeated from the start.
   */
  onChunk?(part: AgentPart): void | Promise<void>;
  /** Called when the run ends with an error other than an abort. */
  onError?(error: unknown): void | Promise<void>;
  /** Called when a signal aborts the run. */
  onAbort?(abort: AgentAbort): void | Promise<void>;
  /** Called when the run ends with a result. */
  onEnd?(result: AgentResult): void | Promise<void>;
  /**
   * Called when the run ends with a result, if there is no `onEnd`.
   *
   * @deprecated Use `onEnd`.
   */
  onFinish?(result: AgentResult): void | Promise<void>;
}
