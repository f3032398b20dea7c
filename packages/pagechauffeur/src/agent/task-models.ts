import type { ModelClient } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { Page } from '../page/page.ts';
import type { Progress } from '../util/progress.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { AgentConfig } from './agent-options.ts';
import type { DriverParts } from './driver-parts.ts';
import type { BudgetTracker } from './budget-tracker.ts';

/** Which models a run asks, and what verbs work with that ask them. */
export interface TaskModels {
  /** The client that decides on each step; undefined when there is none, which asking it will say. */
  readonly client: ModelClient | undefined;
  /** The user's own instructions to the model. */
  readonly systemPrompt: string | undefined;
  readonly verbs: (page: Page) => VerbContext;
  /** The same for tools, which ask a model of their own. */
  readonly toolVerbs: (page: Page) => VerbContext;
}

interface Given {
  readonly config: AgentConfig;
  readonly budgetTracker: BudgetTracker;
  readonly page: Page;
}

/** Finds the models of a run, whose answers are all counted. */
export async function findModels(progress: Progress, parts: DriverParts, given: Given): Promise<TaskModels> {
  const { config, budgetTracker, page } = given;
  const { model, executionModel = model } = config;
  const verbs = (other: Page, ownModel?: ModelConfiguration): VerbContext => {
    const context = parts.verbs(other);
    return {
      ...context,
      modelService: context.modelService.forCall((record) => budgetTracker.add(record), { preferred: ownModel }),
    };
  };
  const { modelService, systemPrompt } = verbs(page);
  const client = await modelService.clientOf(progress, model);
  const toolClient = await modelService.clientOf(progress, executionModel);
  for (const asked of [client, toolClient]) if (asked) budgetTracker.checkPrice(asked.modelName);
  return {
    client,
    systemPrompt: config.systemPrompt ?? systemPrompt,
    verbs: (other) => verbs(other),
    toolVerbs: (other) => verbs(other, executionModel),
  };
}
