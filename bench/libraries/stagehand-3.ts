import { createRequire } from 'node:module';
import { LLMClient, Stagehand, type CreateChatCompletionOptions } from '@browserbasehq/stagehand';
import type { BrowserAddress, Library } from '../library.ts';
import { answerForCheckbox, checkboxInstruction } from './checkbox-answer.ts';

const { version } = createRequire(import.meta.url)('@browserbasehq/stagehand/package.json') as { version: string };

export async function openStagehand3(browser: BrowserAddress): Promise<Library> {
  const stagehand = new Stagehand({
    env: 'LOCAL',
    localBrowserLaunchOptions: { cdpUrl: browser.url },
    llmClient: new CheckboxModel(),
    verbose: 0,
    disablePino: true,
  });
  await stagehand.init();
  const page = stagehand.context.pages()[0];
  if (!page) throw new Error('Stagehand found no page in the attached browser.');
  return {
    name: 'Stagehand 3',
    version,
    goto: (url) => page.goto(url),
    evaluate: (expression) => page.evaluate(expression),
    snapshot: async () => (await page.snapshot()).formattedTree,
    click: (selector) => page.locator(selector).click(),
    fill: (selector, value) => page.locator(selector).fill(value),
    clickInFrame: (frame, selector) => page.frameLocator(frame).locator(selector).click(),
    fillInFrame: (frame, selector, value) => page.frameLocator(frame).locator(selector).fill(value),
    readText: (selector) => page.locator(selector).textContent(),
    count: (selector) => page.locator(selector).count(),
    waitFor: (selector) => page.waitForSelector(selector),
    load: (url) => page.goto(url, { waitUntil: 'load' }),
    screenshot: () => page.screenshot(),
    newPage: async () => {
      const opened = await stagehand.context.newPage();
      return () => opened.close();
    },
    actOnAction: (selector) => stagehand.act({ selector, description: 'a checkbox', method: 'click', arguments: [] }),
    actOnCheckbox: (name) => stagehand.act(checkboxInstruction(name)),
    extractText: () => stagehand.extract('the words of the note'),
    observeCheckbox: (name) => stagehand.observe(checkboxInstruction(name)),
    [Symbol.asyncDispose]: () => stagehand.close(),
  };
}

/** A model without latency. */
class CheckboxModel extends LLMClient {
  constructor() {
    super('bench/checkbox');
    this.type = 'bench';
    this.hasVision = false;
    this.clientOptions = {};
  }

  override createChatCompletion<T>({ options }: CreateChatCompletionOptions): Promise<T> {
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    return Promise.resolve({ data: answerFor(options), usage } as T);
  }
}

/** Requests differ by the name of their response model, and each needs its own response format. */
function answerFor({ messages, response_model: form }: CreateChatCompletionOptions['options']): unknown {
  if (form?.name === 'Extraction') return { extraction: 'words' };
  if (form?.name === 'Metadata') return { progress: '', completed: true };
  const answer = answerForCheckbox(messages);
  return form?.name === 'Observation' ? { elements: [answer.action] } : answer;
}
