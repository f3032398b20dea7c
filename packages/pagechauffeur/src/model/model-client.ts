import type { SnapshotNode } from '../snapshot/snapshot-node.ts';

/** The driver's method that calls the model; `agent` for the steps of an agent. */
export type ModelVerb = 'act' | 'observe' | 'extract' | 'agent';

/** A JSON Schema (draft 2020-12) object. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A PNG or JPEG image in a message. */
export interface ModelImage {
  readonly data: Uint8Array;
  readonly mediaType: 'image/png' | 'image/jpeg';
}

/** A tool that a model may call. */
export interface ModelTool {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input object. */
  readonly input: JsonSchema;
  /** Set for a tool that the provider defines. The provider then ignores `description` and `input`. */
  readonly provided?: ProvidedTool;
}

/** A tool that the provider defines, such as OpenAI's computer tool. */
export interface ProvidedTool {
  /** The AI SDK's id, such as `openai.computer`. */
  readonly id: `${string}.${string}`;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Protocols of computer-use models, which see screenshots and control mouse and keyboard. */
export type ComputerProtocol = 'openai' | 'anthropic' | 'google';

/** A tool call in a model's response. */
export interface ModelCall {
  /** The result has the same id. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** The result of a tool call, as the model receives it. */
export interface ModelCallResult {
  /** `id` of the {@link ModelCall}. */
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  readonly images?: readonly ModelImage[];
  readonly isError?: boolean;
  /** Observed effect of an action on an element. */
  readonly effect?: 'navigated' | 'changed' | 'opened' | 'none-observed';
  /** True if an earlier call, an operator or the limit of calls ended the step before this call could run. */
  readonly isSkipped?: boolean;
  /** The popups, JavaScript dialogs and downloads that the action opened, oldest first. */
  readonly opened?: readonly ('page' | 'dialog' | 'download')[];
  /** The open pages, if `text` lists them. */
  readonly openPages?: readonly ModelOpenPage[];
  /** Result in the format of a provider-defined tool, instead of `text` and `images`. */
  readonly provided?: unknown;
}

/** An open page, in the result of a call that lists the open pages. */
export interface ModelOpenPage {
  /** Number of the page for the tool `tabs`, from 1. */
  readonly number: number;
  /** Title of the document; empty if the page does not respond. The page chooses it. */
  readonly title: string;
  /** URL of the page, with placeholders instead of variable values. */
  readonly url: string;
  /** True for the page that the agent works on. */
  readonly isCurrent: boolean;
}

/** The response to a request with `tools`. */
export interface StepAnswer {
  /** Text besides the tool calls; may be empty. */
  readonly text: string;
  /** Calls in the order in which they run. Without an `id`, the driver adds one. */
  readonly calls: readonly (Omit<ModelCall, 'id'> & { readonly id?: string })[];
  /** True if the model did not understand the rest of the task. A run that ends with this response is not completed. */
  readonly isNotUnderstood?: boolean;
}

/** A part of a streamed response. */
export type AnswerPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ModelCall };

/** One message of a prompt. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly images?: readonly ModelImage[];
  /** Tool calls, in `assistant` messages. */
  readonly calls?: readonly ModelCall[];
  /** Results of the calls in the previous message, in `tool` messages. Their `text` is empty. */
  readonly results?: readonly ModelCallResult[];
  /**
   * The assistant message in the client's own format, for example with reasoning; see {@link ModelResponse.original}.
   */
  readonly original?: unknown;
  /** True if the provider rejects `original` once an earlier message has changed. Default: true. */
  readonly isOriginalBound?: boolean;
  /**
   * True if the conversation up to this message will probably be sent again soon. Providers with explicit caching cache
   * up to here.
   */
  readonly isStable?: boolean;
  /** For user messages in agent runs. `task`: states the task; `digest`: summarizes earlier steps. */
  readonly kind?: 'task' | 'digest';
}

/** A variable as the model sees it: without its value. */
export interface ModelVariable {
  readonly name: string;
  readonly description?: string;
}

/** A page as text and as a tree. */
export interface ModelPageView {
  readonly url: string;
  readonly title: string;
  /** The snapshot. `messages` contain it too. */
  readonly text: string;
  /** The lines of `text` as a tree. Empty for a client whose `readsTree` is false. */
  readonly nodes: readonly SnapshotNode[];
}

/** What a request is for: to follow an instruction, or to find the element of a failed action again. */
export type Intent = InstructionIntent | HealIntent;

/** An instruction from the user. */
export interface InstructionIntent {
  readonly kind: 'instruction';
  readonly text: string;
  /** Paths of files that the action may upload although `text` does not mention them. */
  readonly files?: readonly string[];
}

/**
 * An action from the cache or the caller that failed. The response must repeat it, or an equivalent action, on the
 * element that matches `description`.
 */
export interface HealIntent {
  readonly kind: 'heal';
  readonly method: string;
  /** Arguments of the action, with `%name%` placeholders. */
  readonly arguments: readonly string[];
  /** Description of the element, possibly with text from the page. */
  readonly description: string;
}

/** A request to a language model. */
export interface ModelRequest {
  readonly verb: ModelVerb;
  /** The user's instruction with unexpanded `%name%` placeholders, or the description of an action to heal. */
  readonly instruction: string;
  /** Set for `act` only. */
  readonly intent?: Intent;
  readonly page: ModelPageView;
  readonly variables: readonly ModelVariable[];
  readonly messages: readonly ModelMessage[];
  /** Schema of the response. With `tools`, the schema of a {@link StepAnswer}. */
  readonly schema: JsonSchema;
  /** Tools for clients with native tool calls. `schema` describes the same tools for other clients. */
  readonly tools?: readonly ModelTool[];
  /**
   * Called with each part of a streamed response, if the client supports streaming. `generate` still returns the
   * complete response.
   */
  readonly onPart?: (part: AnswerPart) => void;
  /** Short name of `schema`, such as `act_answer`. */
  readonly schemaName: string;
  /** Aborts when the driver's call ends. The client must then stop the request. */
  readonly signal: AbortSignal;
  /** When the driver's call times out, on the clock of `performance.now()`. The client must not wait longer. */
  readonly deadline?: number;
  /** Called with the cause of a delay, such as a rate limit, as one sentence. */
  readonly onWait?: (sentence: string) => void;
  /** Called with the usage of a failed attempt. */
  readonly onCost?: (usage: ModelUsage) => void;
}

/** Why a model stopped, as in the AI SDK. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';

/** Number of tokens that a model call used. */
export interface ModelUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedInputTokens: number;
}

/** A model's response to a {@link ModelRequest}. */
export interface ModelResponse {
  /** JSON data, or `undefined` if the response has none. The driver validates it, and may send one repair request. */
  readonly output: unknown;
  readonly usage: ModelUsage;
  /** Raw text of the response. */
  readonly text?: string;
  /** The response in the client's own format. Later requests send it back as {@link ModelMessage.original}. */
  readonly original?: unknown;
  /** True if the provider rejects `original` once an earlier message has changed. Default: true. */
  readonly isOriginalBound?: boolean;
  /** Why the model stopped, as reported by its provider. */
  readonly finishReason?: FinishReason;
  /**
   * Set if the model stopped early. `cut-off`: at its token limit or interrupted; `refused`: by a content filter. Valid
   * `output` is used anyway.
   */
  readonly stopped?: 'cut-off' | 'refused';
  /** Why the response is empty, for the log. */
  readonly remark?: string;
  /**
   * What the model or its provider ignored, such as an unsupported setting. The driver logs each warning once per
   * model.
   */
  readonly warnings?: readonly string[];
}

/** Connects the driver to a language model. Pass your own as the `llmClient` option. */
export interface ModelClient {
  /** `provider/model`, for logs, metrics and recordings. */
  readonly modelName: string;
  /**
   * True if the client uses `page.nodes`, not only the text in `messages`. Default: true. False makes reading pages
   * faster.
   */
  readonly readsTree?: boolean;
  /** True if the client accepts pages of any length. Default: false: `extract` sends a long page in parts. */
  readonly readsWholePages?: boolean;
  /** True if the model accepts images. Default: true. */
  readonly takesImages?: boolean;
  /** True if the client removes images, because its model does not accept them. Default: false. */
  readonly leavesOutImages?: boolean;
  /** Computer-use protocol that the model supports. If set, requests may contain the protocol's tool. */
  readonly computer?: ComputerProtocol | undefined;
  /** Sends one request and returns the response. Rejects if there is none. */
  generate(request: ModelRequest): Promise<ModelResponse>;
}

/** An action that the model proposes for `act`, or an element that it finds for `observe`. */
export interface ProposedAction {
  /** Ref of the element, such as `e5`. */
  readonly ref: string;
  readonly method: string;
  /** Arguments of the method, with `%name%` placeholders. */
  readonly arguments: readonly string[];
  /** Describes the element and the action in a few words. */
  readonly description: string;
}

/** The response for `act`. */
export interface ActAnswer {
  /** `null` if nothing on the page matches. */
  readonly action: ProposedAction | null;
  /**
   * True if `action` only opens something, such as a menu, and a second action follows. The driver reads the page again
   * before it.
   */
  readonly twoStep: boolean;
  /**
   * `ambiguous`: several elements match; `none`: no element matches. Default: `act` with an action, otherwise `none`.
   */
  readonly outcome?: (typeof ACT_OUTCOMES)[number];
  /** For `none`: which element or information is missing. */
  readonly reason: string;
  /** For `ambiguous`, the refs of all matches; for `none`, the refs of the nearest elements. */
  readonly candidates: readonly string[];
}

export const ACT_OUTCOMES = ['act', 'ambiguous', 'none'] as const;

/** The response for `observe`, with the most relevant element first. */
export interface ObserveAnswer {
  readonly elements: readonly ProposedAction[];
}
