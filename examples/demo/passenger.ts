import { mkdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ActOptions, Driver, ExtractResult, ExtractSchema, InferSchema, Page } from 'pagechauffeur';
import { type Journal, StepError, type StepOutcome } from './journal.ts';

const OUTPUT_DIRECTORY = join(import.meta.dirname, '../../output');
const SHOWN = 3;
const SHOWN_LINES = 12;
const EFFECT_WIDTH = 9;

/** Gives the driver one sentence after the other and writes each into the journal. */
export class Passenger {
  readonly #driver: Driver;
  readonly #journal: Journal;

  constructor(driver: Driver, journal: Journal) {
    this.#driver = driver;
    this.#journal = journal;
  }

  /** Opens an address. */
  async goto(url: string): Promise<void> {
    const page = this.#page();
    const run = async (): Promise<string> => {
      await page.goto(url);
      return page.title();
    };
    await this.#journal.step({ verb: 'goto', text: url, run, outcome: (title) => ({ effect: title }) });
  }

  /** Does what a sentence says, or throws when the page offers nothing that fits. */
  async act(instruction: string, options: ActOptions = {}): Promise<void> {
    await this.#journal.step({
      verb: 'act',
      text: instruction,
      run: () => this.#driver.act(instruction, options),
      outcome: ({ success, message, effect = 'done', actions = [] }) => {
        if (!success) throw new StepError(`“${instruction}” was not done: ${message}`);
        const done = actions.map(({ method, description }) => `${method} ${description}`).join(', ');
        return { effect: `${effect.padEnd(EFFECT_WIDTH)} ${done}` };
      },
    });
  }

  /** Has an agent carry out a task of several steps, or throws when it could not. */
  async runTask(task: string): Promise<void> {
    await this.#journal.step({
      verb: 'agent',
      text: task,
      run: () => this.#driver.agent().execute(task),
      outcome: ({ success, message, actions }) => {
        if (!success) throw new StepError(`“${task}” was not done: ${message}`);
        const details = actions.map(({ step, result }) => `${step}. ${result}`);
        return { effect: `${actions.length} actions`, details };
      },
    });
  }

  /** Says what a sentence points to, without touching it. */
  async observe(instruction: string): Promise<void> {
    await this.#journal.step({
      verb: 'observe',
      text: instruction,
      run: () => this.#driver.observe(instruction),
      outcome: (actions): StepOutcome => ({
        effect: `${actions.length} found`,
        details: actions.slice(0, SHOWN).map(({ method = '', description }) => `${method.padEnd(8)} ${description}`),
      }),
    });
  }

  /** Reads what a sentence asks for, in the shape of a schema. */
  extract<S extends ExtractSchema>(
    instruction: string,
    schema: S,
    show: (value: ExtractResult<InferSchema<S>>) => StepOutcome,
  ): Promise<ExtractResult<InferSchema<S>>> {
    return this.#journal.step({
      verb: 'extract',
      text: instruction,
      run: () => this.#driver.extract(instruction, schema),
      outcome: show,
    });
  }

  /** Asks for something on the page, in words. */
  async ask(instruction: string): Promise<void> {
    await this.#journal.step({
      verb: 'extract',
      text: instruction,
      run: () => this.#driver.extract(instruction),
      outcome: ({ extraction }) => ({ effect: extraction }),
    });
  }

  /** Reads the page as a model would see it; no model is asked. */
  async read(): Promise<void> {
    await this.#journal.step({
      verb: 'extract',
      text: 'the page as text',
      run: () => this.#driver.extract(),
      outcome: ({ pageText }) => {
        const lines = pageText.split('\n');
        return { effect: `${lines.length} lines`, details: lines.slice(0, SHOWN_LINES) };
      },
    });
  }

  /** Saves what the window shows under `output/`. */
  async screenshot(name: string): Promise<void> {
    const path = join(OUTPUT_DIRECTORY, `${name}.png`);
    const run = async (): Promise<void> => {
      await mkdir(dirname(path), { recursive: true });
      await this.#page().screenshot({ path });
    };
    await this.#journal.step({
      verb: 'screenshot',
      text: 'what the window shows',
      run,
      outcome: () => ({ effect: relative(process.cwd(), path) }),
    });
  }

  #page(): Page {
    const page = this.#driver.context.activePage();
    if (page === undefined) throw new StepError('No page is open any more.');
    return page;
  }
}
