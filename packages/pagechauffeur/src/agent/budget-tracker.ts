import { DriverInvalidArgumentError } from '../errors.ts';
import type { ModelUsage } from '../model/model-client.ts';
import { NO_USAGE, sumUsage } from '../model/model-usage.ts';
import type { InferenceRecord } from '../model/model-service.ts';
import type { AgentBudget } from './agent-options.ts';
import { costOf, priceOf, pricedModels } from './prices.ts';

/** From this share of a limit on, the model is asked to finish. */
const WARN_AT = 0.75;

interface RunLimits {
  readonly budget: AgentBudget;
  readonly maxSteps: number;
}

/** Compares the tokens, cost, time and steps of a run with its limits. */
export class BudgetTracker {
  readonly #budget: AgentBudget;
  readonly #maxSteps: number;
  readonly #started = performance.now();
  readonly #warned = new Set<string>();
  #usage = NO_USAGE;
  #usd = 0;

  constructor({ budget, maxSteps }: RunLimits) {
    this.#budget = budget;
    this.#maxSteps = maxSteps;
  }

  get usage(): ModelUsage {
    return this.#usage;
  }

  /** Throws if `budget.usd` is set and the price of the model is unknown. */
  checkPrice(modelName: string): void {
    const { usd, price } = this.#budget;
    if (usd === undefined || price !== undefined || priceOf(modelName)) return;
    throw new DriverInvalidArgumentError(
      `Cannot apply budget.usd: the price of ${modelName} is unknown. Set budget.price, or use budget.tokens instead. Models with known prices: ${pricedModels().join(', ')}.`,
      { argument: 'budget.usd' },
    );
  }

  add({ usage, modelName }: InferenceRecord): void {
    this.#usage = sumUsage(this.#usage, usage);
    const price = this.#budget.price ?? priceOf(modelName);
    if (price) this.#usd += costOf(usage, price);
  }

  /** Says which part of the budget is used up. `undefined` while none is. */
  get exhausted(): string | undefined {
    const over = this.#shares().find(({ share }) => share >= 1);
    return over && `its budget of ${over.limit} was spent`;
  }

  /** Returns a warning for the model before this step, if any. Warns once per limit, and before the last step. */
  warning(step: number): string | undefined {
    if (step === this.#maxSteps)
      return 'This is the last step: call done now, with what you have. The run ends after this step, whatever you call.';
    const left = this.#maxSteps - step + 1;
    const isLate = step > this.#maxSteps * WARN_AT;
    const steps = isLate && this.#isNew('steps') ? `${left} steps are left, including this one.` : undefined;
    const short = this.#shares().find(({ limit, share }) => share >= WARN_AT && this.#isNew(limit));
    if (!steps && !short) return undefined;
    const budget = short && `Most of the budget of ${short.limit} is spent.`;
    return [steps, budget, 'Finish with what matters most.'].filter(Boolean).join(' ');
  }

  #isNew(topic: string): boolean {
    const isNew = !this.#warned.has(topic);
    this.#warned.add(topic);
    return isNew;
  }

  #shares(): readonly { readonly limit: string; readonly share: number }[] {
    const { tokens, usd, ms } = this.#budget;
    const { promptTokens, completionTokens } = this.#usage;
    return [
      ...(tokens === undefined
        ? []
        : [{ limit: `${tokens} tokens`, share: (promptTokens + completionTokens) / tokens }]),
      ...(usd === undefined ? [] : [{ limit: `${usd} USD`, share: this.#usd / usd }]),
      ...(ms === undefined ? [] : [{ limit: `${ms} ms`, share: (performance.now() - this.#started) / ms }]),
    ];
  }
}
