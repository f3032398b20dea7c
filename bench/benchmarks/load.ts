import { loadReal } from '../load/real-load.ts';
import { loadSimulated } from '../load/simulated-load.ts';
import type { Report } from '../report.ts';

/** Measures the cost of many sessions at the same time. `docs/scaling.md` calculates with the results. */
export async function benchmarkLoad(): Promise<Report> {
  const lines = [...(await loadSimulated()), ...(await loadReal())];
  return {
    title: 'Many concurrent sessions',
    rows: [],
    goals: [],
    table: { heads: ['sessions', 'what', 'figure'], lines },
  };
}
