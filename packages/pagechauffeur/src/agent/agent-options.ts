import type { ExtractSchema } from '../extract/schema.ts';
import type { ModelMessage } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { ForeignPage } from '../page/foreign-page.ts';
import type { Page } from '../page/page.ts';
import type { ToolOptions } from '../tools/tool-options.ts';
import type { Variables } from '../policy/variables.ts';
import type { AgentCallbacks } from './agent-callbacks.ts';
import type { ModelPrice } from './prices.ts';

/** Options of an agent. */
export interface AgentConfig extends ToolOptions {
  /** The model that decides each step. Default: the driver's model. */
  model?: ModelConfiguration;
  /** The model for tools that call a model themselves, such as `extract`. Default: `model`. */
  executionModel?: ModelConfiguration;
  /**
   * How the agent reads and controls pages. `dom` (default): the page as text with refs. `hybrid`: also a screenshot,
   * in which the model can click coordinates. `cua`: screenshots, mouse and keyboard, through the computer-use API of
   * OpenAI, Anthropic or Google.
   */
  mode?: AgentMode;
  /** Your system prompt. Default: the driver's. */
  systemPrompt?: string;
  /** If true, `execute()` returns an `AgentRun` immediately, whose events can be read while it runs. Default false. */
  stream?: boolean;
  /**
   * Maximum number of tokens in a conversation. If it becomes longer, earlier steps are summarized. Default 100,000.
   */
  contextTokens?: number;
  /** Ends every run of the agent with an `AgentAbortError` when aborted. */
  signal?: AbortSignal;
}

/** Limits of a run. A run that reaches one ends and returns what it has gathered so far. */
export interface AgentBudget {
  /** Tokens of all prompts and responses. */
  tokens?: number;
  /** US dollars, from the price table of the library or from `price`. */
  usd?: number;
  /** Duration in milliseconds. */
  ms?: number;
  /** Price of the model, if the price table does not have it. */
  price?: ModelPrice;
}

/** A task and its options. */
export interface ExecuteOptions<Schema extends ExtractSchema = ExtractSchema> {
  /** The task in natural language. */
  instruction: string;
  /** Maximum number of steps; default 20. */
  maxSteps?: number;
  /**
   * The page to start on; default is the active page. Can be a Playwright, Puppeteer or Patchright page of the same
   * browser.
   */
  page?: Page | ForeignPage;
  /** Values for `%name%` placeholders. The model sees only the names. */
  variables?: Variables;
  /** Files and folders that the agent can upload or write even if the instruction does not name them. */
  files?: readonly string[];
  /** Schema of the data that the agent returns as `output`. */
  output?: Schema;
  /** Messages of an earlier result. The task continues that conversation. */
  messages?: readonly ModelMessage[];
  /** Ends the run with an `AgentAbortError` when aborted. No action runs after that. */
  signal?: AbortSignal;
  /** Timeout in ms for each tool call and for each time the page is read; default 60,000. */
  toolTimeout?: number;
  /** Names of tools that the model does not receive. */
  excludeTools?: readonly string[];
  /** Highlights each element for a moment before the action, for people who watch the browser; default false. */
  highlightCursor?: boolean;
  /** Limits of the run. */
  budget?: AgentBudget;
  /** Callbacks for events of the run. Some can refuse calls. */
  callbacks?: AgentCallbacks;
}

/** Valid values of the option `mode`. */
export const AGENT_MODES = ['dom', 'hybrid', 'cua'] as const;
/** How the agent reads and controls pages; see `AgentConfig.mode`. */
export type AgentMode = (typeof AGENT_MODES)[number];
/** Default maximum number of steps. */
export const MAX_STEPS = 20;
/** Default timeout of a tool, in ms. */
export const TOOL_TIMEOUT_MS = 60_000;
