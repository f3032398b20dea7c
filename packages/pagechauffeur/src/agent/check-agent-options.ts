import { DriverInvalidArgumentError } from '../errors.ts';
import {
  checkFlag,
  checkMilliseconds,
  checkOneOf,
  checkOptions,
  checkString,
  checkStrings,
  checkWholeNumber,
  describeValue,
} from '../util/check-argument.ts';
import { checkNames } from '../util/check-names.ts';
import { isArrayOf } from '../util/is-array-of.ts';
import { isRecord } from '../util/is-record.ts';
import { checkLimits } from '../util/progress.ts';
import { checkToolOptions } from '../tools/toolbox.ts';
import type { AgentCallbacks } from './agent-callbacks.ts';
import { AGENT_MODES, type AgentBudget, type AgentConfig, type ExecuteOptions } from './agent-options.ts';
import type { ModelPrice } from './prices.ts';

const CONFIG = namesOf<AgentConfig>({
  model: true,
  executionModel: true,
  mode: true,
  systemPrompt: true,
  stream: true,
  contextTokens: true,
  tools: true,
  integrations: true,
  allowEvaluate: true,
  signal: true,
});
const TASK = namesOf<ExecuteOptions>({
  instruction: true,
  maxSteps: true,
  page: true,
  variables: true,
  files: true,
  output: true,
  messages: true,
  signal: true,
  toolTimeout: true,
  excludeTools: true,
  highlightCursor: true,
  budget: true,
  callbacks: true,
});
const BUDGET = namesOf<AgentBudget>({ tokens: true, usd: true, ms: true, price: true });
const PRICE = namesOf<ModelPrice>({ input: true, cachedInput: true, output: true });
const CALLBACKS = namesOf<AgentCallbacks>({
  onBeforeAction: true,
  onHandoff: true,
  onSafetyCheck: true,
  prepareStep: true,
  onStart: true,
  onStepStart: true,
  onAction: true,
  onStepEnd: true,
  onStepFinish: true,
  onChunk: true,
  onError: true,
  onAbort: true,
  onEnd: true,
  onFinish: true,
});

export function checkAgentConfig(config: AgentConfig): void {
  checkOptions(config, 'config');
  checkNames(config, { owner: 'an agent', names: CONFIG });
  const { model, executionModel, mode, systemPrompt, stream, contextTokens, signal } = config;
  checkModel('model', model);
  checkModel('executionModel', executionModel);
  if (systemPrompt !== undefined) checkString('systemPrompt', systemPrompt, { mayBeEmpty: true });
  checkFlag('stream', stream);
  if (mode !== undefined) checkOneOf('mode', mode, AGENT_MODES);
  checkToolOptions(config);
  if (contextTokens !== undefined) checkWholeNumber('contextTokens', contextTokens, { least: 1000 });
  checkLimits({ timeout: undefined, signals: [signal] });
}

/** Throws if an option is invalid. The run has not done anything at this point. */
export function checkTask(options: ExecuteOptions): void {
  const { instruction, maxSteps, toolTimeout, excludeTools, signal, variables, messages } = options;
  checkNames(options, { owner: 'a task', names: TASK });
  if (maxSteps !== undefined) checkWholeNumber('maxSteps', maxSteps, { least: 1 });
  if (toolTimeout !== undefined) checkMilliseconds('toolTimeout', toolTimeout);
  if (excludeTools !== undefined) checkStrings('excludeTools', excludeTools);
  checkLimits({ timeout: undefined, signals: [signal] });
  checkOptions(variables, 'variables');
  if (options.files !== undefined) checkStrings('files', options.files);
  checkFlag('highlightCursor', options.highlightCursor);
  checkMessages(messages);
  checkBudget(options.budget);
  checkCallbacks(options.callbacks);
  checkString('instruction', instruction);
}

export function checkModel(argument: string, model: unknown): void {
  if (model === undefined || typeof model === 'string' || (typeof model === 'object' && model !== null)) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be "provider/model" or an object. Received ${describeValue(model)}.`,
    { argument },
  );
}

export function checkMessages(messages: unknown, argument = 'messages'): void {
  if (messages === undefined) return;
  if (isArrayOf(messages, isMessage)) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be an array of messages from an earlier result. Received ${describeValue(messages)}.`,
    { argument },
  );
}

function isMessage(value: unknown): boolean {
  return isRecord(value) && ROLES.has(value['role']) && typeof value['text'] === 'string';
}

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool']);

function checkBudget(budget: AgentBudget | undefined): void {
  checkOptions(budget, 'budget');
  checkNames(budget, { owner: 'a budget', names: BUDGET, path: 'budget.' });
  const { tokens, usd, ms, price } = budget ?? {};
  if (tokens !== undefined) checkWholeNumber('budget.tokens', tokens, { least: 1 });
  checkAmount('budget.usd', usd);
  if (ms !== undefined) checkWholeNumber('budget.ms', ms, { least: 1 });
  checkOptions(price, 'budget.price');
  if (!price) return;
  checkNames(price, { owner: 'a price', names: PRICE, path: 'budget.price.' });
  for (const name of ['input', 'output'] as const) checkPrice(`budget.price.${name}`, price[name]);
  if (price.cachedInput !== undefined) checkPrice('budget.price.cachedInput', price.cachedInput);
}

function checkAmount(argument: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value) && value > 0)) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be a number greater than 0. Received ${describeValue(value)}.`,
    {
      argument,
    },
  );
}

function checkPrice(argument: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return;
  throw new DriverInvalidArgumentError(
    `${argument} must be a price in dollars per million tokens, 0 or more. Received ${describeValue(value)}.`,
    { argument },
  );
}

function checkCallbacks(callbacks: unknown): void {
  checkOptions(callbacks, 'callbacks');
  if (!isRecord(callbacks)) return;
  checkNames(callbacks, { owner: 'callbacks', names: CALLBACKS, path: 'callbacks.' });
  for (const [name, callback] of Object.entries(callbacks)) {
    if (callback === undefined || typeof callback === 'function') continue;
    throw new DriverInvalidArgumentError(`callbacks.${name} must be a function. Received ${describeValue(callback)}.`, {
      argument: `callbacks.${name}`,
    });
  }
}

/** Lists the keys of `T`. A missing key is a compile error. */
function namesOf<T extends object>(names: Readonly<Record<keyof T, true>>): readonly string[] {
  return Object.keys(names);
}
