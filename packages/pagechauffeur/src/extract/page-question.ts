import type { AnswerRules } from '../model/generate-checked.ts';
import type { JsonSchema, ModelImage } from '../model/model-client.ts';

/** A question about a page or part of it. */
export interface PageQuestion<T> {
  readonly instruction: string;
  readonly schema: JsonSchema;
  readonly rules: AnswerRules<T>;
  /** Additional information about the page for the model. */
  readonly note?: string;
  readonly images?: readonly ModelImage[];
}
