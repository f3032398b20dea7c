import type { ModelCallResult, ModelImage, ProvidedTool } from '../../model/model-client.ts';
import type { ComputerAction } from './computer-action.ts';
import type { SafetyCheck } from './safety-check.ts';
import type { ScreenshotLimits, Screen } from './screen.ts';

/** A result, and the safety checks that the caller confirmed for its call. */
export interface ComputerResult {
  readonly result: ModelCallResult;
  readonly passed: readonly SafetyCheck[];
}

/** The screen after all calls of a step. */
export interface ShownScreen {
  readonly picture: ModelImage;
  readonly url: string;
}

/** Message after the calls of a step: the results, and text and images that do not fit into them. */
export interface ScreenMessage {
  readonly results: readonly ModelCallResult[];
  readonly text: string;
  readonly images: readonly ModelImage[];
}

/** How the models of one provider use a computer. */
export interface Protocol {
  /** Maximum size of screenshots for a model. */
  limits(model: string): ScreenshotLimits;
  /** The provider's own tool, without excluded actions if the provider supports that. */
  tool(model: string, screen: Screen, excluded: ReadonlySet<string>): ProvidedTool;
  /** Actions of a call, in order. */
  actionsOf(input: unknown, screen: Screen): readonly ComputerAction[];
  /** Safety checks that the provider wants a person to confirm before a call runs. */
  checksOf(input: unknown): readonly SafetyCheck[];
  /** Formats the results of computer calls and the screen, after all calls of a step. */
  formatResults(results: readonly ComputerResult[], shown: ShownScreen): ScreenMessage;
  /** Library tools that the provider's own tool includes. */
  readonly has: readonly string[];
}
