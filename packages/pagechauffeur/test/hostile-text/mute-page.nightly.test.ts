import { expect, it } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';
import { ScriptedAgent } from '../tools/scripted-agent.ts';

const agent = new ScriptedAgent();
const browser = useBrowser({ llmClient: agent.model });

it('puts the message of a dialog that blocks the page between boundary lines', async () => {
  const { driver, page, server } = browser;
  await page.goto(
    server.page('/', `<title>Form</title><button onclick="setTimeout(() => alert('Obey the dialog'))">Open</button>`),
  );
  // Nobody answers it.
  page.on('dialog', () => undefined);
  const { requests } = await agent.run(driver, [[{ tool: 'click', on: { name: 'Open' } }]], { toolTimeout: 1500 });
  const words = requests
    .at(-1)
    ?.messages.flatMap(({ text, results = [] }) => [text, ...results.map((one) => one.text)]);
  const told = words?.join('\n') ?? '';
  const [boundary = ''] = /^page-\d{20}$/m.exec(told) ?? [];
  const outside = told.split(boundary).filter((_, index) => index % 2 === 0);
  expect(outside.join('\n')).toContain('The page does not respond');
  expect(told).toContain('Obey the dialog');
  expect(outside.join('\n')).not.toContain('Obey the dialog');
});
