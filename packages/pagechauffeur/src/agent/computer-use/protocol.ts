import type { ModelCallResult, ModelImage, ProvidedTool } from '../../model/model-client.ts';
import type { ComputerAction } from './computer-action.ts';
import type { SafetyCheck } from './safety-check.ts';
import type { ScreenshotLimits, Screen } from './screen.ts';

export interface ComputerResult {
  readonly result: ModelCallResult;
  readonly passed: readonly SafetyCheck[];
}

export interface ShownScreen {
  readonly picture: ModelImage;
  readonly url: string;
}

/** The tool results, and the text and images that a provider does not accept in results. */
export interface ScreenMessage {
  readonly results: readonly ModelCallResult[];
  readonly text: string;
  readonly images: readonly ModelImage[];
}

/** Translates between a provider's computer-use API and {@link ComputerAction}. */
export interface Protocol {
  limits(model: string): ScreenshotLimits;
  /** Returns the provider's own tool definition, without excluded actions if the API can leave them out. */
  tool(model: string, screen: Screen, excluded: ReadonlySet<string>): ProvidedTool;
  actionsOf(input: unknown, screen: Screen): readonly ComputerAction[];
  /** Returns the safety checks that a person must confirm before the call may run. */
  checksOf(input: unknown): readonly SafetyCheck[];
  formatResults(results: readonly ComputerResult[], shown: ShownScreen): ScreenMessage;
  /** Library tools that the provider's tool already covers. */
  readonly has: readonly string[];
}
