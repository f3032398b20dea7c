import type { AnswerRules } from '../model/generate-checked.ts';
import type { JsonSchema, ModelImage } from '../model/model-client.ts';

/** What is to be read off a page, or a part of one. */
export interface PageQuestion<T> {
  readonly instruction: string;
  readonly schema: JsonSchema;
  readonly rules: AnswerRules<T>;
  /** What a model must know of the page besides. */
  readonly note?: string;
  readonly images?: readonly ModelImage[];
}
