import type { AnswerRules } from '../model/generate-checked.ts';
import type { JsonSchema, ModelImage } from '../model/model-client.ts';

export interface PageQuestion<T> {
  readonly instruction: string;
  readonly schema: JsonSchema;
  readonly rules: AnswerRules<T>;
  /** Tells the model more about the page, such as which part it is. */
  readonly note?: string;
  readonly images?: readonly ModelImage[];
}
