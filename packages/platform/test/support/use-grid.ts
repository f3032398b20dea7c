import { afterAll, beforeAll } from 'vitest';
import { findGridMachine } from '../../../../scripts/grid/grid-requirements.ts';
import { type Grid, type GridOptions, startGrid } from '../../../../scripts/grid/start-grid.ts';
import type { PlatformOptions } from '../../src/options.ts';
import { type SharedPlatform, usePlatform } from './use-platform.ts';

/** What a Grid needs on this machine, or why it is unavailable. Required in CI. */
const machine = findGridMachine();
if (typeof machine === 'string' && process.env['CI']) throw new TypeError(`A grid is needed in CI: ${machine}.`);

/** A Grid and a platform, shared by the tests of a file. */
export interface SharedGrid extends SharedPlatform {
  readonly grid: Grid;
  /** Grid session ids by session name. */
  sessions(): Promise<Map<string, string>>;
}

/** Why no Grid can run on this machine, as a title suffix. Empty if one can. */
export const noGrid: string = typeof machine === 'string' ? `: ${machine}` : '';

type OwnGridOptions = Omit<GridOptions, 'machine'>;

/** Starts a Grid and a platform on it before the tests, and stops both after them. */
export function useGrid(
  gridOptions: OwnGridOptions | (() => OwnGridOptions),
  options: Partial<PlatformOptions> = {},
): SharedGrid {
  let grid: Grid | undefined;
  const running = (): Grid => {
    if (!grid) throw new TypeError('the Grid does not run');
    return grid;
  };
  beforeAll(async () => {
    const given = typeof gridOptions === 'function' ? gridOptions() : gridOptions;
    if (typeof machine !== 'string') grid = await startGrid({ ...given, machine });
  }, START_MS);
  afterAll(() => grid?.close());
  const shared = usePlatform(() => ({ grid: [running().url], egressPort: 0, ...options }));
  return {
    get grid() {
      return running();
    },
    get platform() {
      return shared.platform;
    },
    get key() {
      return shared.key;
    },
    ask: shared.ask,
    sessions: () => sessionsOf(running()),
  };
}

/** Two Java programs on a busy machine. */
const START_MS = 200_000;

interface Status {
  readonly value: {
    readonly nodes?: readonly {
      readonly slots: readonly {
        readonly session: { readonly sessionId: string; readonly capabilities: Record<string, unknown> } | null;
      }[];
    }[];
  };
}

async function sessionsOf(grid: Grid): Promise<Map<string, string>> {
  const { value } = (await (await grid.ask('/status')).json()) as Status;
  const held = (value.nodes ?? []).flatMap(({ slots }) => slots.flatMap(({ session }) => (session ? [session] : [])));
  return new Map(held.map(({ capabilities, sessionId }) => [String(capabilities['se:name']), sessionId]));
}
