import { loadReal } from '../load/real-load.ts';
import { loadSimulated } from '../load/simulated-load.ts';
import type { Report } from '../report.ts';

/** What many sessions at once take; `docs/scaling.md` reckons with these figures. */
export async function benchmarkLoad(): Promise<Report> {
  const lines = [...(await loadSimulated()), ...(await loadReal())];
  return {
    title: 'Many sessions at once',
    rows: [],
    goals: [],
    table: { heads: ['sessions', 'what', 'figure'], lines },
  };
}
