import type { ModelMessage } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { Handoff } from '../tools/handoff.ts';
import type { SafetyCallback } from './computer-use/safety-check.ts';
import type { AgentAction, AgentResult, AgentStep } from './agent-result.ts';

/** A call that is about to be carried out, for `onBeforeAction` to judge. */
export interface PlannedAction {
  readonly tool: string;
  /** What the tool is given, with `%name%` placeholders in place of values. */
  readonly input: unknown;
  /** The page that it is to be done on. */
  readonly url: string;
  readonly step: number;
  /** The element that the input's ref stands for, in words such as `button "Save"`; undefined for other calls. */
  readonly element?: string;
}

/** A piece of a run, as it happens. */
export type AgentPart =
  | { readonly type: 'step-start'; readonly step: number }
  | { readonly type: 'text' | 'reasoning'; readonly step: number; readonly text: string }
  | { readonly type: 'tool-call'; readonly step: number; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly step: number; readonly action: AgentAction }
  | { readonly type: 'step-finish'; readonly step: number; readonly finished: AgentStep }
  | { readonly type: 'finish'; readonly result: AgentResult };

/** What a run begins with. */
export interface AgentStart {
  readonly instruction: string;
  /** `provider/model`; undefined when no model can be had. */
  readonly modelName: string | undefined;
  /** Names of the tools that the model is given. */
  readonly tools: readonly string[];
}

/** A step that begins. */
export interface AgentStepStart {
  /** From 0 on, as in the AI SDK. */
  readonly stepNumber: number;
  /** The steps that have ended, oldest first. */
  readonly steps: readonly AgentStep[];
}

/** A run that was aborted. */
export interface AgentAbort {
  /** The steps that had ended, oldest first. */
  readonly steps: readonly AgentStep[];
  /** The reason of the signal. */
  readonly reason: unknown;
}

/** What a step would be without `prepareStep`, by the names of the AI SDK. */
export interface PrepareStepOptions {
  /** The steps that have ended, oldest first. */
  readonly steps: readonly AgentStep[];
  /** The number of the step that is about to begin, from 0 on. */
  readonly stepNumber: number;
  /** The agent's model as `provider/model`; undefined when none can be had. */
  readonly model: string | undefined;
  /** Your own instructions to the model. */
  readonly instructions: string | undefined;
  /** What was said so far, without the rules. */
  readonly messages: readonly ModelMessage[];
  /** Names of the tools that the model is given. */
  readonly activeTools: readonly string[];
}

/** What is different in a step; what is left out stays as it is. */
export interface PreparedStep {
  /** Another model, for this step alone. */
  model?: ModelConfiguration | undefined;
  /** The tools that the model is given in this step alone, by name; `done` is always among them, with `mode: 'cua'` also `computer`. */
  activeTools?: readonly string[] | undefined;
  /** Your own instructions to the model, from this step on. */
  instructions?: string | undefined;
  /** The conversation, from this step on: what was said so far with changes, such as a message more at its end. */
  messages?: readonly ModelMessage[] | undefined;
}

/** Decides before each step of a run what is different in it. */
export type PrepareStep = (
  options: PrepareStepOptions,
) => PreparedStep | undefined | void | Promise<PreparedStep | undefined | void>;

/** Functions that a run calls, by the names of the AI SDK where it has them. What one of those that are only told something throws goes to the log. */
export interface AgentCallbacks {
  /**
   * Asked before each call that may change something: `false` refuses it, a string refuses it with that reason, which the model is
   * told. What it throws refuses, too.
   */
  onBeforeAction?(action: PlannedAction): boolean | string | void | Promise<boolean | string | void>;
  /** Asked when the agent needs a person: a decision, a sign-in, a code, a captcha, a payment. */
  onHandoff?: Handoff;
  /**
   * Asked with mode `cua` when the provider wants a person to look at an action before it is carried out: `true` lets it pass.
   * Without it the run ends there, with `completed: false`.
   */
  onSafetyCheck?: SafetyCallback;
  /** Asked before each step for what is different in it, such as its model or its tools. What it throws ends the run. */
  prepareStep?: PrepareStep;
  /** Told the beginning of the run, before a model is asked. */
  onStart?(start: AgentStart): void | Promise<void>;
  /** Told the beginning of each step, before its model is asked. */
  onStepStart?(start: AgentStepStart): void | Promise<void>;
  /** Told each call that was carried out or refused. */
  onAction?(action: AgentAction): void | Promise<void>;
  /** Told the end of each step. */
  onStepEnd?(step: AgentStep): void | Promise<void>;
  /**
   * Told the end of each step, when there is no `onStepEnd`.
   *
   * @deprecated Use `onStepEnd`.
   */
  onStepFinish?(step: AgentStep): void | Promise<void>;
  /** Told each piece of the run, the model's words as they are written; of an answer that breaks off they come again from its beginning. */
  onChunk?(part: AgentPart): void | Promise<void>;
  /** Told the error that the run ends with, but for an abort. */
  onError?(error: unknown): void | Promise<void>;
  /** Told that a signal has aborted the run. */
  onAbort?(abort: AgentAbort): void | Promise<void>;
  /** Told the result that the run ends with. */
  onEnd?(result: AgentResult): void | Promise<void>;
  /**
   * Told the result that the run ends with, when there is no `onEnd`.
   *
   * @deprecated Use `onEnd`.
   */
  onFinish?(result: AgentResult): void | Promise<void>;
}
