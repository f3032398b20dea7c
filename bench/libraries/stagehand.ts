import { createRequire } from 'node:module';
import { LLMClient, Stagehand, type CreateChatCompletionOptions } from '@browserbasehq/stagehand';
import type { Library } from '../library.ts';

const { version } = createRequire(import.meta.url)('@browserbasehq/stagehand/package.json') as { version: string };

/** Stagehand 3, attached over CDP to the browser's first page. */
export async function openStagehand(browserUrl: string): Promise<Library> {
  const stagehand = new Stagehand({
    env: 'LOCAL',
    localBrowserLaunchOptions: { cdpUrl: browserUrl },
    llmClient: new CheckboxModel(),
    verbose: 0,
    disablePino: true,
  });
  await stagehand.init();
  const page = stagehand.context.pages()[0];
  if (!page) throw new Error('Stagehand sees no page in the browser it was attached to.');
  return {
    name: 'Stagehand 3',
    version,
    goto: (url) => page.goto(url),
    evaluate: (expression) => page.evaluate(expression),
    snapshot: async () => (await page.snapshot()).formattedTree,
    click: (selector) => page.locator(selector).click(),
    fill: (selector, value) => page.locator(selector).fill(value),
    actOnAction: (selector) => stagehand.act({ selector, description: 'a checkbox', method: 'click', arguments: [] }),
    actOnCheckbox: (name) => stagehand.act(`check the box "${name}"`),
    [Symbol.asyncDispose]: () => stagehand.close(),
  };
}

/** Answers each question at once: click the checkbox whose name the instruction has in quotes. */
class CheckboxModel extends LLMClient {
  constructor() {
    super('bench/checkbox');
    this.type = 'bench';
    this.hasVision = false;
    this.clientOptions = {};
  }

  override createChatCompletion<T>({ options }: CreateChatCompletionOptions): Promise<T> {
    return Promise.resolve(answerTo(JSON.stringify(options.messages)) as T);
  }
}

function answerTo(prompt: string): unknown {
  const name = /check the box \\\\?"(.+?)\\\\?"/.exec(prompt)?.[1] ?? '';
  const elementId = new RegExp(`\\[(\\d+-\\d+)\\] checkbox: ${name}\\b`).exec(prompt)?.[1];
  if (!elementId) throw new Error(`Stagehand's prompt shows no checkbox "${name}".`);
  const action = { elementId, description: name, method: 'click', arguments: [] };
  return { data: { action, twoStep: false }, usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
}
