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

/** Functions that a run calls. What one of those that are only told something throws goes to the log. */
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
  /** Told each call that was carried out or refused. */
  onAction?(action: AgentAction): void | Promise<void>;
  /** Told the end of each step. */
  onStepFinish?(step: AgentStep): void | Promise<void>;
  /** Told each piece of the run, the model's words as they are written; of an answer that breaks off they come again from its beginning. */
  onChunk?(part: AgentPart): void | Promise<void>;
  /** Told the error that the run ends with. */
  onError?(error: unknown): void | Promise<void>;
  /** Told the result that the run ends with. */
  onFinish?(result: AgentResult): void | Promise<void>;
}
