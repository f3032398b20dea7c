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
  /** The model for tools that ask one, such as `extract`. Default: `model`. */
  executionModel?: ModelConfiguration;
  /**
   * What the model sees and uses. `dom` (default): the page as text with refs. `hybrid`: also a screenshot, on which it may point. `cua`:
   * screenshots, mouse and keyboard, through the computer-use API of OpenAI, Anthropic or Google.
   */
  mode?: AgentMode;
  /** Your system prompt. Default: the driver's. */
  systemPrompt?: string;
  /** Returns an `AgentRun` at once, whose parts can be read while it runs; default false. */
  stream?: boolean;
  /** Tokens of a conversation above which earlier steps are summarized; default 100,000. */
  contextTokens?: number;
  /** Ends every run of the agent with an `AgentAbortError` when aborted. */
  signal?: AbortSignal;
}

/** Limits of a run. A run that reaches one ends with what it has gathered. */
export interface AgentBudget {
  /** Tokens of all prompts and answers. */
  tokens?: number;
  /** US dollars, by the price table of the library or by `price`. */
  usd?: number;
  /** Duration in milliseconds. */
  ms?: number;
  /** Price of the model, if the price table does not have it. */
  price?: ModelPrice;
}

/** A task and its options. */
export interface ExecuteOptions<Schema extends ExtractSchema = ExtractSchema> {
  /** What the agent must do. */
  instruction: string;
  /** Maximum number of steps; default 20. */
  maxSteps?: number;
  /** The page to start on. May be a page of Playwright, Puppeteer or Patchright in the same browser. Default: the active page. */
  page?: Page | ForeignPage;
  /** Values for `%name%` placeholders. The model sees only the names. */
  variables?: Variables;
  /** Files and folders that may be uploaded or written although the instruction does not name them. */
  files?: readonly string[];
  /** Schema of the data that the agent returns as `output`. */
  output?: Schema;
  /** Messages of an earlier result. The task continues that conversation. */
  messages?: readonly ModelMessage[];
  /** Ends the run with an `AgentAbortError` when aborted. Nothing continues after that. */
  signal?: AbortSignal;
  /** Timeout in ms for one tool call or one read of the page; default 60,000. */
  toolTimeout?: number;
  /** Names of tools that the model does not receive. */
  excludeTools?: readonly string[];
  /** Highlights each element for a moment before acting on it, for viewers of the browser; default false. */
  highlightCursor?: boolean;
  /** Limits of the run. */
  budget?: AgentBudget;
  /** Functions that are notified of events and may refuse calls. */
  callbacks?: AgentCallbacks;
}

/** Valid values of the option `mode`. */
export const AGENT_MODES = ['dom', 'hybrid', 'cua'] as const;
/** What the model sees of pages and works with. */
export type AgentMode = (typeof AGENT_MODES)[number];
/** Default maximum number of steps. */
export const MAX_STEPS = 20;
/** Default timeout of a tool, in ms. */
export const TOOL_TIMEOUT_MS = 60_000;
