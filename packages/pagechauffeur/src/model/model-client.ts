import type { SnapshotNode } from '../snapshot/snapshot-node.ts';

/** The operation that asks. */
export type ModelVerb = 'act' | 'observe' | 'extract' | 'agent';

/** A JSON Schema (draft 2020-12) object. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A picture that goes with a message. */
export interface ModelImage {
  readonly data: Uint8Array;
  readonly mediaType: 'image/png' | 'image/jpeg';
}

/** Something that a model may ask to have done. */
export interface ModelTool {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** The shape of its input, an object. */
  readonly input: JsonSchema;
  /** The provider's own tool that it stands for; the provider then says by itself what it is for and what goes into it. */
  readonly provided?: ProvidedTool;
}

/** A tool that a provider knows by itself, as the AI SDK names it. */
export interface ProvidedTool {
  /** Such as `openai.computer`. */
  readonly id: `${string}.${string}`;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The protocols by which models look at a screen and ask for the mouse and the keyboard. */
export type ComputerProtocol = 'openai' | 'anthropic' | 'google';

/** One thing that a model asks to have done. */
export interface ModelCall {
  /** By what its result is told to belong to it. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** What came of a call. */
export interface ModelCallResult {
  /** That of the call. */
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  readonly images?: readonly ModelImage[];
  readonly isError?: boolean;
  /** What the page showed for it, where it was done to an element. */
  readonly effect?: 'navigated' | 'changed' | 'opened' | 'none-observed';
  /** What the provider's own tool is answered with, in its own form, in place of text and images. */
  readonly provided?: unknown;
}

/** The answer shape of a question with `tools`. */
export interface StepAnswer {
  /** What the model says besides; may be empty. */
  readonly text: string;
  /** In the order in which they are to be carried out; ids may be left out. */
  readonly calls: readonly (Omit<ModelCall, 'id'> & { readonly id?: string })[];
  /** The task, or what is left of it, is not understood: a run that ends with this answer has not completed. */
  readonly isNotUnderstood?: boolean;
}

/** A piece of an answer that is still being written. */
export type AnswerPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ModelCall };

/** One message of a prompt. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly images?: readonly ModelImage[];
  /** What an assistant's message asks to have done. */
  readonly calls?: readonly ModelCall[];
  /** What came of the calls of the message before; only in a message of `tool`, whose text is empty. */
  readonly results?: readonly ModelCallResult[];
  /** An assistant's message as the client that wrote it wants it back, such as with its thoughts; see {@link ModelResponse.original}. */
  readonly original?: unknown;
  /** Whether `original` is refused once a message before it has changed; default true. */
  readonly isOriginalBound?: boolean;
  /** This message and all before it are likely to be sent again soon; providers that must be told cache up to here. */
  readonly isStable?: boolean;
  /** Marks the user's messages that state the task of an agent, or sum up its earlier steps. A run that continues from them reads it. */
  readonly kind?: 'task' | 'digest';
}

/** A variable as a model may know it: its name and description, never its value. */
export interface ModelVariable {
  readonly name: string;
  readonly description?: string;
}

/** What the model is shown of the page, as text lines and as the same lines parsed. */
export interface ModelPageView {
  readonly url: string;
  readonly title: string;
  /** The snapshot text that also stands in `messages`. */
  readonly text: string;
  /** The lines of `text` as a tree, no more and no less; none for a client whose `readsTree` is false. */
  readonly nodes: readonly SnapshotNode[];
}

/** What a step is for: a sentence, or an action whose element has to be found again. */
export type Intent = InstructionIntent | HealIntent;

/** What a user wants done, in words. */
export interface InstructionIntent {
  readonly kind: 'instruction';
  readonly text: string;
  /** Paths that may be used though they do not stand in the text. */
  readonly files?: readonly string[];
}

/** An action that failed on the element that it was for. It is to be done as it is, on the element that `description` means now. */
export interface HealIntent {
  readonly kind: 'heal';
  readonly method: string;
  /** With placeholders, as given. */
  readonly arguments: readonly string[];
  /** What the element is, in words that may come from a page. */
  readonly description: string;
}

/** One question to a language model. The stable part of the prompt comes first in `messages`. */
export interface ModelRequest {
  readonly verb: ModelVerb;
  /** The user's sentence, with `%name%` placeholders unexpanded; of an action that is healed its description. */
  readonly instruction: string;
  /** What the step is for, where `act` asks. */
  readonly intent?: Intent;
  readonly page: ModelPageView;
  readonly variables: readonly ModelVariable[];
  readonly messages: readonly ModelMessage[];
  /** The shape the answer must have; with `tools` that of {@link StepAnswer}. */
  readonly schema: JsonSchema;
  /** What the answer may ask to have done, for a client that has a way of its own to say so; `schema` says the same. */
  readonly tools?: readonly ModelTool[];
  /** Told each piece of the answer as it is written, by clients that can; the answer comes whole all the same. */
  readonly onPart?: (part: AnswerPart) => void;
  /** A short identifier of the shape, such as `act_answer`. */
  readonly schemaName: string;
  /** Aborted when the call that asks has ended; stop the request then. */
  readonly signal: AbortSignal;
  /** When the call that asks ends, by `performance.now()`; waiting beyond it is in vain. */
  readonly deadline?: number;
  /** Told, in words, what keeps the answer waiting, such as a rate limit. */
  readonly onWait?: (sentence: string) => void;
  /** Told what an attempt cost that brought no answer. */
  readonly onCost?: (usage: ModelUsage) => void;
}

/** Why a model stopped, by the names of the AI SDK. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';

/** What a call cost, in tokens. */
export interface ModelUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  readonly cachedInputTokens: number;
}

/** A model's answer. */
export interface ModelResponse {
  /** The answer as JSON data, `undefined` when none came. It is checked by the caller, who may ask once more. */
  readonly output: unknown;
  readonly usage: ModelUsage;
  /** The answer as it was written, for a model that writes text. */
  readonly text?: string;
  /** The answer in the client's own form, to be sent back with the conversation as `original`. */
  readonly original?: unknown;
  /** Whether `original` is refused once a message before it has changed; default true. */
  readonly isOriginalBound?: boolean;
  /** Why the model stopped, as its provider reports it. */
  readonly finishReason?: FinishReason;
  /** Why the model stopped before it was done; an answer that is whole and valid counts all the same. */
  readonly stopped?: 'cut-off' | 'refused';
  /** Why the answer is empty, in words, for the log. */
  readonly remark?: string;
  /** What of the question the model or its provider left aside, in words, such as a setting it does not know. */
  readonly warnings?: readonly string[];
}

/** A language model behind the library. Give one of your own as the `llmClient` option. */
export interface ModelClient {
  /** `provider/model`, for logs, metrics and recordings. */
  readonly modelName: string;
  /** Whether it reads `page.nodes` and not only the text in `messages`; default true. A page is read faster for one that does not. */
  readonly readsTree?: boolean;
  /** Whether it reads pages of any length at once; default false. Others get long pages in parts, for `extract`. */
  readonly readsWholePages?: boolean;
  /** Whether it looks at pictures; default true. A client that does not gets none. */
  readonly takesImages?: boolean;
  /** Whether it leaves out the pictures that it gets, because its model is known to see none; default false. */
  readonly leavesOutImages?: boolean;
  /** How its model uses a computer, where it can; its requests may then have the tool of that protocol. */
  readonly computer?: ComputerProtocol | undefined;
  /** Answers one question, or throws. */
  generate(request: ModelRequest): Promise<ModelResponse>;
}

/** One step that a model proposes for `act`, or one of the elements it found for `observe`. */
export interface ProposedAction {
  /** A ref that was shown. */
  readonly ref: string;
  readonly method: string;
  /** Strings; a `%name%` placeholder stays as it is. */
  readonly arguments: readonly string[];
  /** What the element is and what happens to it, in a few words. */
  readonly description: string;
}

/** The answer shape of `act`. */
export interface ActAnswer {
  /** The step to carry out, or null when nothing on the page fits. */
  readonly action: ProposedAction | null;
  /** The first step only opens something; the page is read again for the second. */
  readonly twoStep: boolean;
  /** Why there is no action: several elements fit alike, or none fits. Default: `act` with an action, else `none`. */
  readonly outcome?: (typeof ACT_OUTCOMES)[number];
  /** For `none`: what is missing. */
  readonly reason: string;
  /** Refs: for `ambiguous` all elements that fit, for `none` the nearest ones. */
  readonly candidates: readonly string[];
}

/** What an answer to `act` can come to. */
export const ACT_OUTCOMES = ['act', 'ambiguous', 'none'] as const;

/** The answer shape of `observe`: most relevant first. */
export interface ObserveAnswer {
  readonly elements: readonly ProposedAction[];
}
