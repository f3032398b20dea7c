/** A custom tool: the result of `tool()` or `dynamicTool()` from the AI SDK, or an object with the same fields. */
export interface OwnTool {
  /** What the tool does and when to use it. Sent to the model. A function is called once per run. */
  readonly description?: string | ((...facts: never[]) => string) | undefined;
  /**
   * Schema of the input, which must be an object: Zod, another Standard Schema, `jsonSchema()` from the AI SDK, or
   * plain JSON Schema.
   */
  readonly inputSchema: unknown;
  /**
   * Runs the tool. The model receives the result or the error. PNG and JPEG bytes (`Uint8Array`) are sent as images.
   * `options.abortSignal` aborts when the tool times out or the run ends.
   */
  readonly execute?: ((input: never, options: never) => unknown) | undefined;
  /** Converts the result of `execute` for the model, as in the AI SDK. */
  readonly toModelOutput?: ((facts: never) => unknown) | undefined;
}
