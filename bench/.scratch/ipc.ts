import { startChromium } from '../chromium.ts';
import { Driver } from '../../packages/pagechauffeur/dist/index.js';
await using chromium = await startChromium();
const driver = new Driver({ env: 'LOCAL', localBrowserLaunchOptions: { cdpUrl: chromium.url }, verbose: 0, llmClient: { modelName: 'x/y', generate: async () => { throw new Error('no'); } } as any });
await driver.init();
const [page] = driver.context.pages();
await page!.sendCDP('Performance.enable', { timeDomain: 'threadTicks' });
const task = async () => ((await page!.sendCDP('Performance.getMetrics')) as any).metrics.find((m: any) => m.name === 'TaskDuration').value * 1000;
const med = (x: number[]) => x.toSorted((a, b) => a - b)[x.length >> 1]!;
for (const [name, expr] of [['small', '"x"'], ['300K plain', '"x".repeat(300000)'], ['300K lines', '("e12 link \\"abc def\\" #12\\n").repeat(12000)'], ['300K json of lines', 'JSON.stringify({text:("e12 link \\"abc def\\" #12\\n").repeat(12000)})'], ['300K two-byte', '"é€".repeat(150000)'], ['1.8M json', 'JSON.stringify({text:("e12 link \\"abc def\\" #12\\n").repeat(72000)})']] as const) {
  const t: number[] = [], c: number[] = [];
  for (let i = 0; i < 15; i++) { const b = await task(); const s = performance.now(); await page!.sendCDP('Runtime.callFunctionOn', { functionDeclaration: `function(){return ${expr}}`, executionContextId: undefined, objectId: undefined, ...(await ctx()), returnByValue: true } as any); t.push(performance.now() - s); c.push((await task()) - b); }
  console.log(name, 'call', med(t).toFixed(1), 'page', med(c).toFixed(1));
}
async function ctx() { (globalThis as any).o ??= ((await page!.sendCDP('Runtime.evaluate', { expression: 'window' })) as any).result.objectId; return { objectId: (globalThis as any).o }; }
await driver.close(); process.exit(0);
