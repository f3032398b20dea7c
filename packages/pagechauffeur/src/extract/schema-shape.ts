import type { Checked } from '../model/generate-checked.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { readSchema, type ExtractSchema, type InferSchema } from './schema.ts';
import { withLinkNumbers, type PageLinks } from './schema-links.ts';
import { withObjectRoot } from './schema-root.ts';

/** What a model is asked for when data of a user's schema is wanted, and how its answer becomes that data. */
export interface ExtractionShape<T> {
  /** The user's schema with an object at its root and link numbers for URLs. */
  readonly modelSchema: JsonSchema;
  /** The user's schema before its transforms. */
  readonly jsonSchema: JsonSchema;
  /** Whether link numbers must be shown to the model. */
  readonly hasLinks: boolean;
  /** Turns an answer into data of the user's schema before its transforms, with the page's addresses for link numbers. */
  readonly restore: (output: unknown, links: PageLinks) => Checked<unknown>;
  /** Checks such data and transforms it by the user's own schema. */
  readonly validate: (data: unknown) => Promise<Checked<T>>;
  /** Turns an answer into the user's data, checked and transformed by the user's own schema. */
  read(output: unknown, links: PageLinks): Promise<Checked<T>>;
}

/** Prepares a schema of any kind for a model; throws a `DriverInvalidArgumentError` when that cannot be done. */
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
