// An agent's task a second time, without a model and with other values, and as a script that needs no agent at all.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentResult, Driver } from 'pagechauffeur';

const shop = `<title>Mugs</title><h1>Mugs</h1>
  <label>Name <input id="name"></label>
  <label>Size <select id="size"><option>small<option>large</select></label>
  <button onclick="order()">Order</button><p role="status"></p>
  <script>
    function order() {
      const [name, size] = ['name', 'size'].map((id) => document.getElementById(id).value);
      document.querySelector('[role=status]').textContent = 'A ' + size + ' mug for ' + name;
    }
  </script>`;

const cacheDir = await mkdtemp(join(tmpdir(), 'agent-again-'));
await using driver = new Driver({ env: 'LOCAL', model: 'offline/lexical', cacheDir, disableLoggerBackend: true });
await driver.init();
const [page = await driver.context.newPage()] = driver.context.pages();
const agent = driver.agent({ stream: true });

async function orderFor(who: string): Promise<AgentResult> {
  await page.setContent(shop);
  const instruction = 'Type %who% into the name field, choose large as the size, then click Order';
  const run = agent.execute({ instruction, variables: { who } });
  for await (const part of run.fullStream)
    if (part.type === 'tool-result')
      console.log(`  ${part.action.step === 0 ? 'again' : 'first'}: ${part.action.result}`);
  console.log(await page.getByRole('status').textContent());
  return run.result;
}

const first = await orderFor('Ada');
const second = await orderFor('Grace');
console.log(`${second.metadata.replayedSteps} of ${first.actions.length - 1} steps were replayed without a model`);
const script = first.toScript({ for: 'playwright' });
console.log(script.slice(script.indexOf('/** Runs'), script.indexOf('if (process')));
await rm(cacheDir, { recursive: true, force: true });
