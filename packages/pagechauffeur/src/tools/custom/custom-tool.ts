/** A custom tool, as created by `tool()` and `dynamicTool()` of the AI SDK, or written by hand. */
export interface OwnTool {
  /** The purpose of the tool and when to use it. Models choose tools by their description. */
  readonly description?: string | ((...facts: never[]) => string) | undefined;
  /** Schema of the input, an object: Zod or another Standard Schema, `jsonSchema()` of the AI SDK, or a JSON Schema. */
  readonly inputSchema: unknown;
  /**
   * Runs the tool. `options.abortSignal` aborts when the tool times out or the run ends. The model receives the result: text and data as
   * such, PNG and JPEG bytes (`Uint8Array`) as images. It also receives errors.
   */
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  /** Converts the result of `execute` for the model, as in the AI SDK. */
  readonly toModelOutput?: ((facts: never) => unknown) | undefined;
}
