import { readFile } from 'node:fs/promises';
import { localBrowser, Stagehand, type ClientLLM } from 'stagehand-4';
import type { BrowserAddress, Library } from '../library.ts';
import { answerForCheckbox, checkboxInstruction } from './checkbox-answer.ts';

/** A model without latency. */
const checkboxModel: ClientLLM = {
  generate: ({ messages }) =>
    Promise.resolve({
      role: 'assistant',
      content: [],
      outputFormat: 'json_schema',
      structuredContent: answerForCheckbox(messages),
    }),
};

/** Stagehand 4 installs an extension into the browser and sends its calls to the extension. */
export async function openStagehand4({ url, localUrl }: BrowserAddress): Promise<Library> {
  const browser = await localBrowser.connect({ cdpUrl: url, extensionCdpUrl: localUrl });
  const stagehand = await Stagehand.create({ browser, model: checkboxModel, logging: { level: 'off' } });
  const [page] = await browser.context.pages();
  if (!page) throw new Error('Stagehand 4 found no page in the attached browser.');
  return {
    name: 'Stagehand 4',
    version: await installedVersion(),
    goto: (address) => page.goto(address),
    evaluate: (expression) => page.evaluate(expression),
    snapshot: async () => (await page.snapshot()).formattedTree,
    click: (selector) => page.locator(selector).click(),
    fill: (selector, value) => page.locator(selector).fill(value),
    load: (address) => page.goto(address, { waitUntil: 'load' }),
    screenshot: () => page.screenshot(),
    actOnAction: (selector) => stagehand.act({ selector, description: 'a checkbox', method: 'click', arguments: [] }),
    actOnCheckbox: (name) => stagehand.act(checkboxInstruction(name)),
    [Symbol.asyncDispose]: () => browser.disconnect(),
  };
}

/** The package does not export its package.json. */
async function installedVersion(): Promise<string> {
  const file = new URL('../package.json', import.meta.resolve('stagehand-4'));
  const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
  return version;
}
