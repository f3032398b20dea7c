import type { Checked } from '../model/generate-checked.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { readSchema, type ExtractSchema, type InferSchema } from './schema.ts';
import { withLinkNumbers, type PageLinks } from './schema-links.ts';
import { withObjectRoot } from './schema-root.ts';

/** The schema for the model, and the conversion of its answers to the user's data. */
export interface ExtractionShape<T> {
  /** The user's schema, with an object as root and with link numbers for URLs. */
  readonly modelSchema: JsonSchema;
  /** The user's schema before its transforms. */
  readonly jsonSchema: JsonSchema;
  /** True if the schema has link numbers. */
  readonly hasLinks: boolean;
  /** Converts an answer to data before transforms. Replaces link numbers with URLs. */
  readonly restore: (output: unknown, links: PageLinks) => Checked<unknown>;
  /** Validates this data and applies the transforms of the user's schema. */
  readonly validate: (data: unknown) => Promise<Checked<T>>;
  /** Converts an answer to the user's data: restores, validates and transforms it. */
  read(output: unknown, links: PageLinks): Promise<Checked<T>>;
}

/** Prepares a schema for the model. */
export async function extractionShape<Schema extends ExtractSchema>(
  schema: Schema,
): Promise<ExtractionShape<InferSchema<Schema>>> {
  const { jsonSchema, validate } = await readSchema(schema);
  const linked = withLinkNumbers(jsonSchema);
  const rooted = withObjectRoot(linked.jsonSchema);
  const restore = (output: unknown, links: PageLinks): Checked<unknown> => linked.restore(rooted.unwrap(output), links);
  return {
    modelSchema: rooted.jsonSchema,
    hasLinks: linked.hasLinks,
    jsonSchema,
    restore,
    validate,
    async read(output, links) {
      const restored = restore(output, links);
      return restored.issues ? restored : validate(restored.value);
    },
  };
}
