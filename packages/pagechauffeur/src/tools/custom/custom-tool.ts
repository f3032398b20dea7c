/** A tool of your own, as `tool()` and `dynamicTool()` of the AI SDK make them, or written out. */
export interface OwnTool {
  /** What it does and when it is to be used; models choose by it. */
  readonly description?: string | ((...facts: never[]) => string) | undefined;
  /** What it takes, an object: a schema of Zod or another Standard Schema, `jsonSchema()` of the AI SDK, or a JSON Schema. */
  readonly inputSchema: unknown;
  /**
   * Does it. `options.abortSignal` is aborted when the time of the tool is up or the run ends. What it gives is told to the model:
   * texts and data as such, PNG and JPEG pictures (`Uint8Array`) as pictures. What it throws is told, too.
   */
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  /** Makes of what `execute` gave what the model is told, as in the AI SDK. */
  readonly toModelOutput?: ((facts: never) => unknown) | undefined;
}
