import type { ExtractSchema } from '../extract/schema.ts';
import type { ModelMessage } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { ForeignPage } from '../page/foreign-page.ts';
import type { Page } from '../page/page.ts';
import type { ToolOptions } from '../tools/tool-options.ts';
import type { Variables } from '../verb/variables.ts';
import type { AgentCallbacks } from './agent-callbacks.ts';
import type { ModelPrice } from './prices.ts';

/** How an agent works, whatever its task. */
export interface AgentConfig extends ToolOptions {
  /** The model that decides on each step; default the driver's. */
  model?: ModelConfiguration;
  /** The model that tools ask, such as `extract`; default `model`. */
  executionModel?: ModelConfiguration;
  /**
   * What the model is shown and works with: `dom` (the default) the page as text with refs; `hybrid` a picture besides, in which
   * it may point at places; `cua` pictures, with the mouse and the keyboard, by the computer-use API of OpenAI, Anthropic or Google.
   */
  mode?: AgentMode;
  /** Your own instructions to the model; default the driver's. */
  systemPrompt?: string;
  /** Whether `execute` gives an `AgentRun` at once, whose parts can be read while it goes on; default false. */
  stream?: boolean;
  /** Tokens of a conversation above which the steps so far are put into fewer words; default 100,000. */
  contextTokens?: number;
  /** Ends every run of the agent with an `AgentAbortError` when aborted. */
  signal?: AbortSignal;
}

/** What a run may cost before it ends with what was gathered so far. */
export interface AgentBudget {
  /** Tokens of all questions and answers together. */
  tokens?: number;
  /** Dollars, by the price table of the library or by `price`. */
  usd?: number;
  /** Milliseconds from the beginning to the end. */
  ms?: number;
  /** What the model costs, for one that the price table does not know. */
  price?: ModelPrice;
}

/** A task and how it is to be carried out. */
export interface ExecuteOptions<Schema extends ExtractSchema = ExtractSchema> {
  /** What is to be done. */
  instruction: string;
  /** Steps at most; default 20. */
  maxSteps?: number;
  /** The page to begin on, also one of Playwright, Puppeteer or Patchright in the same browser; default is the active one. */
  page?: Page | ForeignPage;
  /** Values for `%name%` placeholders; the model sees the names only. */
  variables?: Variables;
  /** Paths of files and folders that may be uploaded, or downloaded to, though the instruction does not name them. */
  files?: readonly string[];
  /** The shape of the data that the agent is to bring back as `output`. */
  output?: Schema;
  /** What was said in a run before, from its result: this task goes on from there. */
  messages?: readonly ModelMessage[];
  /** Ends the run with an `AgentAbortError` when aborted; nothing goes on after that. */
  signal?: AbortSignal;
  /** Milliseconds that one tool, or one look at the page, may take; default 60,000. */
  toolTimeout?: number;
  /** Tools that the model is not given. */
  excludeTools?: readonly string[];
  /** Marks each element for a moment before something is done to it, for whoever looks at the browser; default false. */
  highlightCursor?: boolean;
  /** What the run may cost. */
  budget?: AgentBudget;
  /** Functions that are told what happens, and may refuse it. */
  callbacks?: AgentCallbacks;
}

/** The ways in which a model is shown pages. */
export const AGENT_MODES = ['dom', 'hybrid', 'cua'] as const;
/** What a model is shown of pages, and works with. */
export type AgentMode = (typeof AGENT_MODES)[number];
/** Steps at most when a call does not say. */
export const MAX_STEPS = 20;
/** Milliseconds that a tool may take when a call does not say. */
export const TOOL_TIMEOUT_MS = 60_000;
