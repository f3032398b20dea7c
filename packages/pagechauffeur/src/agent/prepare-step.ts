import { DriverInvalidArgumentError, UnsupportedModelError } from '../errors.ts';
import type { ModelMessage } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { Page } from '../page/page.ts';
import { toolsNamed } from '../tools/describe-tools.ts';
import type { Tool } from '../tools/tool.ts';
import { checkOptions, checkString, checkStrings } from '../util/check-argument.ts';
import { checkNames } from '../util/check-names.ts';
import type { Progress } from '../util/progress.ts';
import type { PreparedStep } from './agent-callbacks.ts';
import { checkMessages, checkModel } from './check-agent-options.ts';
import { COMPUTER } from './computer-use/computer-tool.ts';
import type { Task } from './task.ts';

export interface StepSettings {
  readonly model: ModelConfiguration | undefined;
  readonly tools: readonly Tool[];
  readonly instructions?: string | undefined;
  readonly messages?: readonly ModelMessage[] | undefined;
}

interface Situation {
  readonly page: Page;
  readonly stepNumber: number;
  readonly instructions: string | undefined;
  readonly messages: readonly ModelMessage[];
}

const PREPARED = ['model', 'activeTools', 'instructions', 'messages'] as const satisfies (keyof PreparedStep)[];
const RESULT = 'prepareStep()';

/** Calls the user's `prepareStep` and returns the settings for the step. */
export async function stepSettings(progress: Progress, task: Task, situation: Situation): Promise<StepSettings> {
  const { prepareStep, tools, model, modelName, events } = task;
  if (!prepareStep) return { model, tools };
  const { page, ...facts } = situation;
  const activeTools = tools.map(({ name }) => name);
  const options = { ...facts, steps: [...events.steps], model: modelName, activeTools };
  // A synchronous callback that throws must reject, too.
  const asked = (async () => prepareStep(options))();
  const prepared = (await progress.race(asked)) ?? {};
  checkPrepared(prepared);
  if (prepared.model !== undefined) await checkStepModel(progress, task, { model: prepared.model, page });
  return {
    model: prepared.model ?? model,
    tools: prepared.activeTools ? activeOf(tools, prepared.activeTools) : tools,
    instructions: prepared.instructions,
    messages: prepared.messages,
  };
}

function checkPrepared(prepared: PreparedStep): void {
  checkOptions(prepared, RESULT);
  checkNames(prepared, { owner: RESULT, names: PREPARED, path: `${RESULT}.` });
  const { model, activeTools, instructions, messages } = prepared;
  checkModel(`${RESULT}.model`, model);
  if (activeTools !== undefined) checkStrings(`${RESULT}.activeTools`, activeTools);
  if (instructions !== undefined) checkString(`${RESULT}.instructions`, instructions, { mayBeEmpty: true });
  checkMessages(messages, `${RESULT}.messages`);
}

function activeOf(tools: readonly Tool[], active: readonly string[]): readonly Tool[] {
  const names = active.flatMap(toolsNamed);
  const unknown = names.filter((name) => !tools.some((tool) => tool.name === name));
  if (unknown.length > 0)
    throw new DriverInvalidArgumentError(
      `${RESULT}.activeTools contains ${unknown.map((name) => JSON.stringify(name)).join(', ')}, which the run does not have. Available tools: ${tools.map(({ name }) => name).join(', ')}.`,
      { argument: `${RESULT}.activeTools` },
    );
  return tools.filter(({ name, kind }) => kind === 'end' || name === COMPUTER || names.includes(name));
}

/** With `budget.usd`, the price of the model must be known. Computer use needs a model with the same API. */
async function checkStepModel(
  progress: Progress,
  task: Task,
  { model, page }: { readonly model: ModelConfiguration; readonly page: Page },
): Promise<void> {
  const { budgetTracker, computer } = task;
  const client = await task.verbs(page).modelService.clientOf(progress, model);
  if (!client) return;
  budgetTracker.checkPrice(client.modelName);
  if (!computer || client.computer === computer.protocolName) return;
  throw new UnsupportedModelError(
    `${RESULT}.model must support the same computer-use API as the agent's model (${computer.protocolName}). Received ${client.modelName}.`,
    { model: client.modelName },
  );
}
