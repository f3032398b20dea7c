// ab.ts OLD_DIST NEW_DIST "names" RUNS : interleaved first snapshots
import { startChromium } from '../chromium.ts';
import { startDocumentServer } from '../documents.ts';
import { baselineOpener } from '../libraries/chauffeur.ts';
const [, , A, B, names = '', RUNS = '9'] = process.argv;
await using c1 = await startChromium(); await using c2 = await startChromium();
await using server = await startDocumentServer();
const a = await baselineOpener(A!)({ url: c1.url, localUrl: c1.url }), b = await baselineOpener(B!)({ url: c2.url, localUrl: c2.url });
const med = (x: number[]) => x.toSorted((p, q) => p - q)[x.length >> 1]!;
const ratios: number[] = [], cratios: number[] = [];
for (const page of server.pages) {
  if (names && !names.split(',').some((n) => page.name.includes(n))) continue;
  const out = { a: { call: [] as number[], page: [] as number[] }, b: { call: [] as number[], page: [] as number[] } };
  for (let i = 0; i < Number(RUNS) + 1; i++) {
    await Promise.all([a.load(page.url), b.load(page.url)]);
    await new Promise((r) => setTimeout(r, 700));
    for (const [k, lib] of i % 2 ? [['a', a], ['b', b]] as const : [['b', b], ['a', a]] as const) {
      globalThis.gc?.();
      const before = await lib.taskDuration!(); const s = performance.now();
      await lib.wholeSnapshot!();
      const call = performance.now() - s; const cpu = ((await lib.taskDuration!()) - before) * 1000;
      if (i > 0) { out[k].call.push(call); out[k].page.push(cpu); }
    }
  }
  const r = med(out.b.call) / med(out.a.call), cr = med(out.b.page) / med(out.a.page); ratios.push(r); cratios.push(cr);
  console.log(`${page.name.padEnd(32)} call ${med(out.a.call).toFixed(1)} -> ${med(out.b.call).toFixed(1)} (${r.toFixed(2)})  page ${med(out.a.page).toFixed(1)} -> ${med(out.b.page).toFixed(1)} (${cr.toFixed(2)})`);
}
const geo = (x: number[]) => Math.exp(x.reduce((s, v) => s + Math.log(v), 0) / x.length);
console.log(`geomean call ${geo(ratios).toFixed(3)} page ${geo(cratios).toFixed(3)}`);
await a[Symbol.asyncDispose](); await b[Symbol.asyncDispose](); process.exit(0);
