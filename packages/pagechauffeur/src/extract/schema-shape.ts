import type { Checked } from '../model/generate-checked.ts';
import type { JsonSchema } from '../model/model-client.ts';
import { readSchema, type ExtractSchema, type InferSchema } from './schema.ts';
import { withLinkNumbers, type PageLinks } from './schema-links.ts';
import { type RootUnwrapper, withObjectRoot } from './schema-root.ts';

/** The schema for the model, with the conversion of answers to the user's data. */
export interface ExtractionShape<T> extends RootUnwrapper {
  /** The user's schema with an object as its root and link numbers instead of URLs. */
  readonly modelSchema: JsonSchema;
  /** The user's schema as JSON Schema. It describes data before transforms. */
  readonly jsonSchema: JsonSchema;
  readonly hasLinks: boolean;
  /** Unwraps the root and replaces link numbers with URLs. Does not validate the data. */
  readonly toUserData: (output: unknown, links: PageLinks) => Checked<unknown>;
  /** Validates data and applies the transforms of the user's schema. */
  readonly validate: (data: unknown) => Promise<Checked<T>>;
  read(output: unknown, links: PageLinks): Promise<Checked<T>>;
}

export async function extractionShape<Schema extends ExtractSchema>(
  schema: Schema,
): Promise<ExtractionShape<InferSchema<Schema>>> {
  const { jsonSchema, validate } = await readSchema(schema);
  const linked = withLinkNumbers(jsonSchema);
  const rooted = withObjectRoot(linked.jsonSchema);
  const toUserData = (output: unknown, links: PageLinks): Checked<unknown> =>
    linked.restore(rooted.unwrap(output), links);
  return {
    modelSchema: rooted.jsonSchema,
    hasLinks: linked.hasLinks,
    jsonSchema,
    unwrap: rooted.unwrap,
    unwrapPath: rooted.unwrapPath,
    toUserData,
    validate,
    async read(output, links) {
      const restored = toUserData(output, links);
      return restored.issues ? restored : validate(restored.value);
    },
  };
}
