import type { ModelCallResult, ModelImage, ProvidedTool } from '../../model/model-client.ts';
import type { ComputerAction } from './computer-action.ts';
import type { SafetyCheck } from './safety-check.ts';
import type { ScreenshotLimits, Screen } from './screen.ts';

/** A result, and the safety checks that a person confirmed for its call. */
export interface ComputerResult {
  readonly result: ModelCallResult;
  readonly passed: readonly SafetyCheck[];
}

/** The screen after all tool calls of a step. */
export interface ShownScreen {
  readonly picture: ModelImage;
  readonly url: string;
}

/** The message after the tool calls of a step: the results, and the text and images that the results cannot contain. */
export interface ScreenMessage {
  readonly results: readonly ModelCallResult[];
  readonly text: string;
  readonly images: readonly ModelImage[];
}

/** How the models of one provider control a computer. */
export interface Protocol {
  /** Maximum size of screenshots for a model. */
  limits(model: string): ScreenshotLimits;
  /** The provider's own tool definition. Leaves out excluded actions if the provider supports that. */
  tool(model: string, screen: Screen, excluded: ReadonlySet<string>): ProvidedTool;
  /** Returns the actions of a call, in order. */
  actionsOf(input: unknown, screen: Screen): readonly ComputerAction[];
  /** Returns the safety checks that a person must confirm before the call runs. */
  checksOf(input: unknown): readonly SafetyCheck[];
  /** Formats the results of the computer calls and the final screen of a step. */
  formatResults(results: readonly ComputerResult[], shown: ShownScreen): ScreenMessage;
  /** Names of the library tools that the provider's own tool replaces. */
  readonly has: readonly string[];
}
