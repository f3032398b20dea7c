import type { SnapshotNode } from '../snapshot/snapshot-node.ts';

/** The operation that asks the model. */
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
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, an object. */
  readonly input: JsonSchema;
  /** The provider's own tool. The provider defines its description and input. */
  readonly provided?: ProvidedTool;
}

/** A provider's own tool, as the AI SDK names it. */
export interface ProvidedTool {
  /** Such as `openai.computer`. */
  readonly id: `${string}.${string}`;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Protocols by which models see a screen and use mouse and keyboard. */
export type ComputerProtocol = 'openai' | 'anthropic' | 'google';

/** A call that a model requests. */
export interface ModelCall {
  /** Identifies the result of this call. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** Result of a call. */
export interface ModelCallResult {
  /** Id of the call. */
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  readonly images?: readonly ModelImage[];
  readonly isError?: boolean;
  /** Observed effect of an element action. */
  readonly effect?: 'navigated' | 'changed' | 'opened' | 'none-observed';
  /** Result in the format of the provider's own tool, instead of text and images. */
  readonly provided?: unknown;
}

/** Answer to a question with `tools`. */
export interface StepAnswer {
  /** Text besides the calls; may be empty. */
  readonly text: string;
  /** Calls in order. Ids are optional. */
  readonly calls: readonly (Omit<ModelCall, 'id'> & { readonly id?: string })[];
  /** The model did not understand the rest of the task. A run that ends with this answer has not completed. */
  readonly isNotUnderstood?: boolean;
}

/** A part of an answer that is still streaming. */
export type AnswerPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ModelCall };

/** One message of a prompt. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly images?: readonly ModelImage[];
  /** Calls that an assistant message requests. */
  readonly calls?: readonly ModelCall[];
  /** Results of the calls in the previous message. Only in `tool` messages, whose text is empty. */
  readonly results?: readonly ModelCallResult[];
  /** An assistant message in the client's own form, for example with reasoning; see {@link ModelResponse.original}. */
  readonly original?: unknown;
  /** True if `original` is refused once an earlier message has changed; default true. */
  readonly isOriginalBound?: boolean;
  /** This message and all earlier ones are likely to be sent again soon. Providers with explicit caching cache up to here. */
  readonly isStable?: boolean;
  /** Marks user messages that state an agent's task or summarize its earlier steps. A run that continues the conversation reads it. */
  readonly kind?: 'task' | 'digest';
}

/** A variable as models see it: name and description, never the value. */
export interface ModelVariable {
  readonly name: string;
  readonly description?: string;
}

/** The page as text lines and as the same lines parsed. */
export interface ModelPageView {
  readonly url: string;
  readonly title: string;
  /** The snapshot text, which `messages` contain too. */
  readonly text: string;
  /** Exactly the lines of `text` as a tree. Empty for a client whose `readsTree` is false. */
  readonly nodes: readonly SnapshotNode[];
}

/** Purpose of a step: an instruction, or an action whose element the model must find again. */
export type Intent = InstructionIntent | HealIntent;

/** An instruction of the user. */
export interface InstructionIntent {
  readonly kind: 'instruction';
  readonly text: string;
  /** Allowed paths that the text does not contain. */
  readonly files?: readonly string[];
}

/** A failed action. It must be repeated unchanged on the element that `description` means now. */
export interface HealIntent {
  readonly kind: 'heal';
  readonly method: string;
  /** Contains placeholders. */
  readonly arguments: readonly string[];
  /** Describes the element. May contain page text. */
  readonly description: string;
}

/** One question to a language model. The stable part of the prompt comes first in `messages`. */
export interface ModelRequest {
  readonly verb: ModelVerb;
  /** The user's instruction with unexpanded `%name%` placeholders, or the description of an action to heal. */
  readonly instruction: string;
  /** Purpose of the step, for `act`. */
  readonly intent?: Intent;
  readonly page: ModelPageView;
  readonly variables: readonly ModelVariable[];
  readonly messages: readonly ModelMessage[];
  /** Schema of the answer. With `tools`, that of {@link StepAnswer}. */
  readonly schema: JsonSchema;
  /** Tools that the answer may call, for clients with native tool calls. `schema` describes them too. */
  readonly tools?: readonly ModelTool[];
  /** Receives each part of a streamed answer, if the client supports it. `generate` still returns the whole answer. */
  readonly onPart?: (part: AnswerPart) => void;
  /** Short name of the schema, such as `act_answer`. */
  readonly schemaName: string;
  /** Aborts when the calling operation ends. Stop the request then. */
  readonly signal: AbortSignal;
  /** When the calling operation ends, by `performance.now()`. Do not wait longer. */
  readonly deadline?: number;
  /** Receives a sentence about the cause of a delay, such as a rate limit. */
  readonly onWait?: (sentence: string) => void;
  /** Receives the usage of an attempt without an answer. */
  readonly onCost?: (usage: ModelUsage) => void;
}

/** Why a model stopped, by the names of the AI SDK. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';

/** Tokens of a call. */
export interface ModelUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedInputTokens: number;
}

/** A model's answer. */
export interface ModelResponse {
  /** The answer as JSON data, or `undefined` if there was none. The caller validates it and may ask once more. */
  readonly output: unknown;
  readonly usage: ModelUsage;
  /** The raw answer of a model that writes text. */
  readonly text?: string;
  /** The answer in the client's own form. Sent back in the conversation as `original`. */
  readonly original?: unknown;
  /** True if `original` is refused once an earlier message has changed; default true. */
  readonly isOriginalBound?: boolean;
  /** Why the model stopped, as reported by its provider. */
  readonly finishReason?: FinishReason;
  /** Why the model stopped early. A complete and valid answer is used anyway. */
  readonly stopped?: 'cut-off' | 'refused';
  /** Why the answer is empty, for the log. */
  readonly remark?: string;
  /** Parts of the question that the model or its provider ignored, such as an unsupported setting. */
  readonly warnings?: readonly string[];
}

/** A language model for the library. Pass your own as the `llmClient` option. */
export interface ModelClient {
  /** `provider/model`, for logs, metrics and recordings. */
  readonly modelName: string;
  /** Whether the client reads `page.nodes`, not only the text in `messages`; default true. Set false to read pages faster. */
  readonly readsTree?: boolean;
  /** Whether the client reads pages of any length at once; default false. For `extract`, others receive long pages in parts. */
  readonly readsWholePages?: boolean;
  /** Whether the model accepts images; default true. Others receive none. */
  readonly takesImages?: boolean;
  /** Whether the client removes images because its model is known not to accept them; default false. */
  readonly leavesOutImages?: boolean;
  /** Computer-use protocol of the model, if it has one. Its requests may include the tool of that protocol. */
  readonly computer?: ComputerProtocol | undefined;
  /** Answers one question, or throws. */
  generate(request: ModelRequest): Promise<ModelResponse>;
}

/** A step proposed for `act`, or an element found for `observe`. */
export interface ProposedAction {
  /** A ref that was shown. */
  readonly ref: string;
  readonly method: string;
  /** Strings. `%name%` placeholders are not expanded. */
  readonly arguments: readonly string[];
  /** Describes the element and the action in a few words. */
  readonly description: string;
}

/** The answer to `act`. */
export interface ActAnswer {
  /** The step, or `null` if nothing on the page fits. */
  readonly action: ProposedAction | null;
  /** The first step only opens something. The page is read again for the second one. */
  readonly twoStep: boolean;
  /** Why there is no action: several elements fit, or none. Default: `act` with an action, else `none`. */
  readonly outcome?: (typeof ACT_OUTCOMES)[number];
  /** For `none`: the missing element or information. */
  readonly reason: string;
  /** Refs: for `ambiguous` all elements that fit, for `none` the nearest ones. */
  readonly candidates: readonly string[];
}

/** Outcomes of an answer to `act`. */
export const ACT_OUTCOMES = ['act', 'ambiguous', 'none'] as const;

/** The answer to `observe`, most relevant first. */
export interface ObserveAnswer {
  readonly elements: readonly ProposedAction[];
}
