import { styleText } from 'node:util';
import type { Driver } from 'pagechauffeur';

/** What there is to say about a step that went well. */
export interface StepOutcome {
  /** A few words for the last column. */
  readonly effect: string;
  /** Lines below the step. */
  readonly details?: readonly string[];
}

/** Something that the demo does. */
interface Step<T> {
  readonly verb: string;
  /** The sentence, or what stands for it. */
  readonly text: string;
  readonly run: () => Promise<T>;
  readonly outcome: (result: T) => StepOutcome;
}

/** A step of the demo did not do what it should. */
export class StepError extends Error {
  override readonly name = 'StepError';
}

const VERB_WIDTH = 12;
const TEXT_WIDTH = 52;
const TIME_WIDTH = 9;
const TOKENS_WIDTH = 9;

/** Runs steps and prints a line for each: number, verb, sentence, time, tokens, effect. */
export class Journal {
  readonly #driver: Driver;
  readonly #startedAt = performance.now();
  #steps = 0;
  #tokens = 0;

  constructor(driver: Driver) {
    this.#driver = driver;
    print(
      styleText(
        'dim',
        `${' '.repeat(4)}${'step'.padEnd(VERB_WIDTH + TEXT_WIDTH)}${'time'.padStart(TIME_WIDTH)}${'tokens'.padStart(TOKENS_WIDTH)}  effect`,
      ),
    );
  }

  /** Runs one step. */
  async step<T>({ verb, text, run, outcome }: Step<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await run();
    const time = performance.now() - startedAt;
    const tokens = await this.#tokensSpent();
    const { effect, details = [] } = outcome(result);
    this.#steps += 1;
    const label = `${String(this.#steps).padStart(2)}  ${styleText('cyan', verb.padEnd(VERB_WIDTH))}${shorten(text).padEnd(TEXT_WIDTH)}`;
    const figures = `${milliseconds(time).padStart(TIME_WIDTH)}${tokens.toLocaleString('en').padStart(TOKENS_WIDTH)}`;
    print(`${label}${styleText('dim', figures)}  ${effect}`);
    for (const line of details) print(styleText('dim', `${' '.repeat(4 + VERB_WIDTH)}${line}`));
    return result;
  }

  /** Prints how much it was in all. */
  summary(): void {
    const time = milliseconds(performance.now() - this.#startedAt);
    print(`\n${this.#steps} steps in ${time}, ${this.#tokens.toLocaleString('en')} tokens.`);
  }

  async #tokensSpent(): Promise<number> {
    const { totalPromptTokens, totalCompletionTokens } = await this.#driver.metrics;
    const before = this.#tokens;
    this.#tokens = totalPromptTokens + totalCompletionTokens;
    return this.#tokens - before;
  }
}

/** Writes a line. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function milliseconds(time: number): string {
  return `${Math.round(time).toLocaleString('en')} ms`;
}

function shorten(text: string): string {
  return text.length < TEXT_WIDTH ? text : `${text.slice(0, TEXT_WIDTH - 2)}…`;
}
