import type { SnapshotNode } from '../snapshot/snapshot-node.ts';

/** The operation that calls the model. */
export type ModelVerb = 'act' | 'observe' | 'extract' | 'agent';

/** A JSON Schema (draft 2020-12) object. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** An image in a message. */
export interface ModelImage {
  readonly data: Uint8Array;
  readonly mediaType: 'image/png' | 'image/jpeg';
}

/** A tool that a model may call. */
export interface ModelTool {
  /** The name may contain letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, which is an object. */
  readonly input: JsonSchema;
  /** Set for a provider's own tool, whose description and input the provider defines. */
  readonly provided?: ProvidedTool;
}

/** A provider's own tool, as the AI SDK names it. */
export interface ProvidedTool {
  /** The AI SDK's id, such as `openai.computer`. */
  readonly id: `${string}.${string}`;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Protocols of computer-use models, which see screenshots and control mouse and keyboard. */
export type ComputerProtocol = 'openai' | 'anthropic' | 'google';

/** A call that a model requests. */
export interface ModelCall {
  /** Identifies the result of this call. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** The result of a call. */
export interface ModelCallResult {
  /** Id of the call. */
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  readonly images?: readonly ModelImage[];
  readonly isError?: boolean;
  /** The observed effect of an action on an element. */
  readonly effect?: 'navigated' | 'changed' | 'opened' | 'none-observed';
  /** The result in the format of the provider's own tool, instead of text and images. */
  readonly provided?: unknown;
}

/** The response to a request with `tools`. */
export interface StepAnswer {
  /** Text besides the calls. May be empty. */
  readonly text: string;
  /** The calls in order. Ids are optional. */
  readonly calls: readonly (Omit<ModelCall, 'id'> & { readonly id?: string })[];
  /**
   * True if the model did not understand the rest of the task. A run that ends with this response has not completed.
   */
  readonly isNotUnderstood?: boolean;
}

/** A part of a response that is still streaming. */
export type AnswerPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ModelCall };

/** One message of a prompt. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly images?: readonly ModelImage[];
  /** The calls that an assistant message requests. */
  readonly calls?: readonly ModelCall[];
  /** The results of the calls in the previous message. Only in `tool` messages, whose text is empty. */
  readonly results?: readonly ModelCallResult[];
  /**
   * An assistant message in the client's own format, for example with reasoning; see {@link ModelResponse.original}.
   */
  readonly original?: unknown;
  /** True if the provider rejects `original` after a change of an earlier message. Default: true. */
  readonly isOriginalBound?: boolean;
  /**
   * True if this message and all earlier ones will probably be sent again soon. Providers with explicit caching cache
   * up to here.
   */
  readonly isStable?: boolean;
  /**
   * Marks user messages that state an agent's task or summarize its earlier steps, for runs that continue the
   * conversation.
   */
  readonly kind?: 'task' | 'digest';
}

/** A variable as models see it: name and description, but not the value. */
export interface ModelVariable {
  readonly name: string;
  readonly description?: string;
}

/** The page as text, and as a tree of the same lines. */
export interface ModelPageView {
  readonly url: string;
  readonly title: string;
  /** The snapshot text, which `messages` contain too. */
  readonly text: string;
  /** The lines of `text` as a tree. Empty for a client whose `readsTree` is false. */
  readonly nodes: readonly SnapshotNode[];
}

/** The purpose of a request: to run an instruction, or to find the element of a failed action again. */
export type Intent = InstructionIntent | HealIntent;

/** An instruction of the user. */
export interface InstructionIntent {
  readonly kind: 'instruction';
  readonly text: string;
  /** Paths of files that the request may use although the text does not contain them. */
  readonly files?: readonly string[];
}

/** A failed action, to be repeated unchanged on the element that `description` matches now. */
export interface HealIntent {
  readonly kind: 'heal';
  readonly method: string;
  /** The arguments of the action, with placeholders. */
  readonly arguments: readonly string[];
  /** Describes the element. May contain page text. */
  readonly description: string;
}

/** A request to a language model. In `messages`, the stable part of the prompt comes first. */
export interface ModelRequest {
  readonly verb: ModelVerb;
  /** The user's instruction with unexpanded `%name%` placeholders, or the description of an action to heal. */
  readonly instruction: string;
  /** The purpose of the step, for `act`. */
  readonly intent?: Intent;
  readonly page: ModelPageView;
  readonly variables: readonly ModelVariable[];
  readonly messages: readonly ModelMessage[];
  /** Schema of the response. With `tools`, the schema of {@link StepAnswer}. */
  readonly schema: JsonSchema;
  /** Tools that the response may call, for clients with native tool calls. `schema` describes them too. */
  readonly tools?: readonly ModelTool[];
  /**
   * Receives each part of a streamed response, if the client supports streaming. `generate` still returns the complete
   * response.
   */
  readonly onPart?: (part: AnswerPart) => void;
  /** Short name of the schema, such as `act_answer`. */
  readonly schemaName: string;
  /** Aborts when the calling operation ends. The client must then stop the request. */
  readonly signal: AbortSignal;
  /** The end of the calling operation, in the time of `performance.now()`. The client must not wait longer. */
  readonly deadline?: number;
  /** Receives a sentence about the cause of a delay, such as a rate limit. */
  readonly onWait?: (sentence: string) => void;
  /** Receives the usage of an attempt without a response. */
  readonly onCost?: (usage: ModelUsage) => void;
}

/** Why a model stopped, in the terms of the AI SDK. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';

/** The tokens of a call. */
export interface ModelUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedInputTokens: number;
}

/** The response of a model. */
export interface ModelResponse {
  /**
   * The response as JSON data, or `undefined` if there was none. The caller validates it and may send one more request.
   */
  readonly output: unknown;
  readonly usage: ModelUsage;
  /** The raw text of the response. */
  readonly text?: string;
  /** The response in the client's own format. Sent back in the conversation as `original`. */
  readonly original?: unknown;
  /** True if the provider rejects `original` after a change of an earlier message. Default: true. */
  readonly isOriginalBound?: boolean;
  /** Why the model stopped, as reported by its provider. */
  readonly finishReason?: FinishReason;
  /** Set if the model stopped early. A complete and valid response is used anyway. */
  readonly stopped?: 'cut-off' | 'refused';
  /** Why the response is empty, for the log. */
  readonly remark?: string;
  /** Parts of the request that the model or its provider ignored, such as an unsupported setting. */
  readonly warnings?: readonly string[];
}

/** A language model for the library. Pass your own as the `llmClient` option. */
export interface ModelClient {
  /** `provider/model`, for logs, metrics and recordings. */
  readonly modelName: string;
  /**
   * Whether the client reads `page.nodes` and not only the text in `messages`. Default: true. Set false to read pages
   * faster.
   */
  readonly readsTree?: boolean;
  /**
   * Whether the client accepts pages of any length. Default: false. For `extract`, other clients receive long pages in
   * parts.
   */
  readonly readsWholePages?: boolean;
  /** Whether the model accepts images. Default: true. Other models receive none. */
  readonly takesImages?: boolean;
  /** Whether the client removes images because its model is known not to accept them. Default: false. */
  readonly leavesOutImages?: boolean;
  /** The computer-use protocol of the model, if it has one. Its requests may include the tool of that protocol. */
  readonly computer?: ComputerProtocol | undefined;
  /** Returns the response to one request, or throws. */
  generate(request: ModelRequest): Promise<ModelResponse>;
}

/** An action proposed for `act`, or an element found for `observe`. */
export interface ProposedAction {
  /** A ref of the page view. */
  readonly ref: string;
  readonly method: string;
  /** Strings, in which `%name%` placeholders are not expanded. */
  readonly arguments: readonly string[];
  /** Describes the element and the action in a few words. */
  readonly description: string;
}

/** The response to `act`. */
export interface ActAnswer {
  /** The action, or `null` if nothing on the page matches. */
  readonly action: ProposedAction | null;
  /** True if the first action only opens something, such as a menu. The page is read again for the second one. */
  readonly twoStep: boolean;
  /** Why there is no action: several elements match, or none. Default: `act` with an action, otherwise `none`. */
  readonly outcome?: (typeof ACT_OUTCOMES)[number];
  /** For `none`: the missing element or information. */
  readonly reason: string;
  /** For `ambiguous`, the refs of all matching elements; for `none`, those of the nearest ones. */
  readonly candidates: readonly string[];
}

/** Possible outcomes of `act`. */
export const ACT_OUTCOMES = ['act', 'ambiguous', 'none'] as const;

/** The response to `observe`, most relevant element first. */
export interface ObserveAnswer {
  readonly elements: readonly ProposedAction[];
}
