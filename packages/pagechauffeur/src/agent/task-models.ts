import type { ModelClient } from '../model/model-client.ts';
import type { ModelConfiguration } from '../model/model-configuration.ts';
import type { Page } from '../page/page.ts';
import type { Progress } from '../util/progress.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { AgentConfig } from './agent-options.ts';
import type { DriverParts } from './driver-parts.ts';
import type { BudgetTracker } from './budget-tracker.ts';

/** Models of a run, and verb contexts that use them. */
export interface TaskModels {
  /** The client that decides each step. `undefined` if there is none; the first question reports that. */
  readonly client: ModelClient | undefined;
  /** The user's system prompt. */
  readonly systemPrompt: string | undefined;
  readonly verbs: (page: Page) => VerbContext;
  /** Verb context for tools, which have a model of their own. */
  readonly toolVerbs: (page: Page) => VerbContext;
}

interface Given {
  readonly config: AgentConfig;
  readonly budgetTracker: BudgetTracker;
  readonly page: Page;
}

/** Resolves the models of a run. The usage of all their answers is counted. */
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
