import type { AnswerRules } from '../model/generate-checked.ts';
import type { JsonSchema, ModelImage } from '../model/model-client.ts';

/** A question about a page or a part of it. */
export interface PageQuestion<T> {
  readonly instruction: string;
  readonly schema: JsonSchema;
  readonly rules: AnswerRules<T>;
  /** Extra information for the model about the page. */
  readonly note?: string;
  readonly images?: readonly ModelImage[];
}
