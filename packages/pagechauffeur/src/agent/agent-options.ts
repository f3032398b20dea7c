import type { ExtractSchema } from '../extract/schema.ts';
import type { ModelMessage } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { ForeignPage } from '../page/foreign-page.ts';
import type { Page } from '../page/page.ts';
import type { ToolOptions } from '../tools/tool-options.ts';
import type { Variables } from '../policy/variables.ts';
import type { AgentCallbacks } from './agent-callbacks.ts';
import type { ModelPrice } from './prices.ts';

/** Options for `driver.agent()`. */
export interface AgentConfig extends ToolOptions {
  /** Model that decides each step. Default: the driver's model. */
  model?: ModelConfiguration;
  /** Model for tools that call a model themselves, such as `extract`. Default: `model`. */
  executionModel?: ModelConfiguration;
  /**
   * How the agent reads and controls pages. `dom` (default): the page as text with refs. `hybrid`: also a screenshot,
   * in which the model can click coordinates. `cua`: screenshots, mouse and keyboard, through the computer-use API of
   * OpenAI, Anthropic or Google.
   */
  mode?: AgentMode;
  /** System prompt, in addition to the library's rules. Default: the driver's. */
  systemPrompt?: string;
  /** If true, `execute()` returns an `AgentRun` immediately, with events to read during the run. Default: false. */
  stream?: boolean;
  /**
   * Maximum length of the conversation in tokens. When it is exceeded, earlier steps are summarized. Default: 100,000.
   */
  contextTokens?: number;
  /** Ends every run of this agent with an `AgentAbortError` when aborted. */
  signal?: AbortSignal;
}

/** Limits for a run. A run that reaches one returns `completed: false` and the results so far. */
export interface AgentBudget {
  /** Maximum number of prompt and completion tokens. */
  tokens?: number;
  /** Maximum cost in US dollars, calculated with the library's price table or with `price`. */
  usd?: number;
  /** Maximum duration in ms. */
  ms?: number;
  /** Price of the model. Required with `usd` if the price table does not contain the model. */
  price?: ModelPrice;
}

/** A task for `Agent.execute`, with its options. */
export interface ExecuteOptions<Schema extends ExtractSchema = ExtractSchema> {
  /** The task in natural language. */
  instruction: string;
  /** Maximum number of steps. Default: 20. */
  maxSteps?: number;
  /**
   * Page to start on. Default: the active page. Can be a Playwright, Puppeteer or Patchright page of the same browser.
   */
  page?: Page | ForeignPage;
  /** Values for `%name%` placeholders in the instruction. The model sees only the names. */
  variables?: Variables;
  /** Files and folders that the agent may upload or write, in addition to those that the instruction names. */
  files?: readonly string[];
  /** Schema of the data to return as `output`. */
  output?: Schema;
  /** Conversation to continue, from `messages` of an earlier result. */
  messages?: readonly ModelMessage[];
  /** Ends the run with an `AgentAbortError` when aborted. No action starts after that. */
  signal?: AbortSignal;
  /** Timeout in ms for each tool call and for each read of the page. Default: 60,000. */
  toolTimeout?: number;
  /** Names of tools to remove. */
  excludeTools?: readonly string[];
  /** If true, outlines each element for 400 ms before the agent acts on it. Default: false. */
  highlightCursor?: boolean;
  /** Limits for tokens, cost and time. Default: none. */
  budget?: AgentBudget;
  /** Callbacks for the events of the run. */
  callbacks?: AgentCallbacks;
}

export const AGENT_MODES = ['dom', 'hybrid', 'cua'] as const;
/** How the agent reads and controls pages; see `AgentConfig.mode`. */
export type AgentMode = (typeof AGENT_MODES)[number];
export const MAX_STEPS = 20;
export const TOOL_TIMEOUT_MS = 60_000;
