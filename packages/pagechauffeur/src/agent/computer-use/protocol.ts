import type { ModelCallResult, ModelImage, ProvidedTool } from '../../model/model-client.ts';
import type { ComputerAction } from './computer-action.ts';
import type { SafetyCheck } from './safety-check.ts';
import type { ScreenshotLimits, Screen } from './screen.ts';

/** A result, and of a call of the computer the checks that the caller has let pass. */
export interface ComputerResult {
  readonly result: ModelCallResult;
  readonly passed: readonly SafetyCheck[];
}

/** What a page shows after all calls of a step. */
export interface ShownScreen {
  readonly picture: ModelImage;
  readonly url: string;
}

/** What is told after the calls of a step: their results, and what has no place in them. */
export interface ScreenMessage {
  readonly results: readonly ModelCallResult[];
  readonly text: string;
  readonly images: readonly ModelImage[];
}

/** How the models of one provider use a computer. */
export interface Protocol {
  /** How large the pictures of this model may be. */
  limits(model: string): ScreenshotLimits;
  /** The provider's own tool, without what is excluded where it can be told so. */
  tool(model: string, screen: Screen, excluded: ReadonlySet<string>): ProvidedTool;
  /** What a call asks for, in order. */
  actionsOf(input: unknown, screen: Screen): readonly ComputerAction[];
  /** What the provider wants a person to look at before a call is carried out. */
  checksOf(input: unknown): readonly SafetyCheck[];
  /** What the model is told of its calls of the computer, and shown, once all calls of the step are over. */
  formatResults(results: readonly ComputerResult[], shown: ShownScreen): ScreenMessage;
  /** Tools of the library that the provider's own has, too. */
  readonly has: readonly string[];
}
