import { mkdtemp, rm, writeFile, readdir, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { ScriptedModel } from '../../src/testing.ts';
import { findBrowser } from '../../src/launch/find-browser.ts';
import { startDriver, type TestDriver } from '../support/driver-for-test.ts';
import { nextCalls } from './next-calls.ts';
import { shop } from './applications/shop.ts';
import { shoelace } from './applications/shoelace.ts';
import { swaggerUi } from './applications/swagger-ui.ts';
import { tiddlywiki } from './applications/tiddlywiki.ts';
import { verdaccio } from './applications/verdaccio.ts';
import { nodeRed } from './applications/node-red.ts';

const all = { shop, shoelace, swaggerUi, tiddlywiki, verdaccio, nodeRed };
const chosen = (process.env['APPS'] ?? 'shop').split(',').map((name) => all[name as keyof typeof all]);
let downloads = '';
let folder = '';
let started: TestDriver;
const ROOT = '/work/main';
beforeAll(async () => {
  downloads = await mkdtemp(join(tmpdir(), 'dl-'));
  folder = await mkdtemp(join(ROOT, 'packages/chauffeur/test/agent/scripts-'));
  started = await startDriver({ downloadsPath: downloads, cacheDir: join(folder, 'cache') });
});
afterAll(async () => {
  await started?.driver.close();
  if (!process.env['KEEP']) await rm(folder, { recursive: true, force: true });
});
for (const application of chosen)
  it.each(application.tasks)(`${application.name}: $name`, { timeout: 120_000 }, async (task) => {
    const { driver, page } = started;
    const report: string[] = [`### ${application.name}: ${task.name}`];
    let code = { chauffeur: '', playwright: '' };
    let oldUrl = '';
    const empty = async () => {
      for (const f of await readdir(downloads)) await rm(join(downloads, f), { force: true });
    };
    for (const kind of ['first', 'again', 'own', 'playwright']) {
      const app = await application.start();
      await empty();
      try {
        const { url } = app;
        await driver.context.clearCookies();
        let message = '';
        const t = Date.now();
        if (kind === 'first' || kind === 'again') {
          await page.goto(url + (task.start ?? ''));
          await page.waitForSelector(application.ready);
          const before = started.lines.length;
          const earlier = { n: 0 };
          const model = new ScriptedModel((request) => {
            const shown = request.messages.flatMap(({ role, text, results = [] }) =>
              role === 'user' || role === 'tool' ? [...results.map((r) => r.text), text] : [],
            );
            if (kind === 'again') {
              const last = task.steps.length - 1;
              return { text: '', calls: nextCalls(task, last, shown) };
            }
            return { text: '', calls: nextCalls(task, model.requests.length - 1, shown) };
          });
          void earlier;
          const result = await driver
            .agent({ model })
            .execute({ instruction: task.instruction, variables: task.variables ?? {}, page });
          message = result.message;
          code = { chauffeur: result.toScript(), playwright: result.toScript({ for: 'playwright' }) };
          oldUrl = url;
          report.push(
            `${kind}: ${Date.now() - t} ms, asked ${model.requests.length}, replayed ${result.metadata.replayedSteps}, success ${result.success} ${message}`,
          );
          for (const line of started.lines.slice(before))
            if (line.category === 'cache' || /done again/.test(line.message) || /Healed/.test(line.message))
              report.push(`   ${line.message}`);
        } else if (kind === 'own') {
          const file = join(folder, `own-${Math.random()}.ts`);
          await writeFile(file, code.chauffeur.replaceAll(oldUrl, url));
          const { run } = await import(file);
          await run(driver, task.variables ?? {});
        } else {
          const { chromium } = await import(join(ROOT, 'apps/node_modules/playwright-core/index.mjs'));
          const file = join(folder, `pw-${Math.random()}.ts`);
          const module = join(folder, 'node_modules/playwright');
          await mkdir(module, { recursive: true });
          await writeFile(
            join(module, 'package.json'),
            '{ "name": "playwright", "type": "module", "exports": "./index.js" }',
          );
          await writeFile(
            join(module, 'index.js'),
            `import playwright from ${JSON.stringify(join(ROOT, 'apps/node_modules/playwright-core/index.js'))};\nexport const { chromium } = playwright;\n`,
          );
          await writeFile(file, code.playwright.replaceAll(oldUrl, url));
          const { run } = await import(file);
          const browser = await chromium.launch({ executablePath: findBrowser() });
          try {
            const p = await browser.newPage();
            p.setDefaultTimeout(4000);
            await run(p, task.variables ?? {});
            await p.waitForTimeout(300);
          } finally {
            await browser.close();
          }
        }
        const outcome = await task.outcome({ url, message, downloads });
        const same = JSON.stringify(outcome) === JSON.stringify(task.expected);
        report.push(`${kind}: outcome ${same ? 'OK' : 'WRONG ' + JSON.stringify(outcome)}`);
      } catch (error) {
        report.push(`${kind}: FAILED ${String(error).slice(0, 600)}`);
      } finally {
        await app.close();
      }
    }
    if (report.some((l) => /FAILED|WRONG/.test(l)) || process.env['CODE']) report.push(code.playwright);
    console.log(report.join('\n'));
  });
