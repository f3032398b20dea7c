import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { beforeAll } from 'vitest';
import { useBrowser } from '../support/use-browser.ts';

const outer =
  '<!doctype html><title>Outer</title><body style="margin: 0">' +
  '<iframe src="/inner" allow="fullscreen" style="width: 1000px; height: 700px; border: 0"></iframe>';
const inner = '<!doctype html><title>Inner</title><body><main></main>';

/** The window of the document that changes. */
const CHANGING = "(location.pathname === '/' ? frames[0] : window)";

/** A document that changes at random; see `in-page/random-changes.ts`. */
export interface ChangingDocument {
  /** Loads a new document, in a frame unless the path is `/inner`. `off`: a signal to leave out. */
  open(seed: number, off?: string, path?: '/' | '/inner'): Promise<void>;
  /** Evaluates an expression about the trial in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Makes a change that a script cannot make, by default each kind in turn. Returns its name. */
  changeFromOutside(turn: number, only?: string): Promise<string>;
}

export function changingDocument(): ChangingDocument {
  const browser = useBrowser({ routes: { '/': outer, '/inner': inner } });
  let program = '';
  beforeAll(async () => {
    const input = fileURLToPath(new URL('../in-page/random-changes.ts', import.meta.url));
    const bundle = await rolldown({ input, platform: 'browser', tsconfig: false });
    const { output } = await bundle.generate({ format: 'iife', name: 'trial' });
    await bundle.close();
    program = `${output[0].code};globalThis.trial = trial`;
  });
  const evaluate = <T>(expression: string): Promise<T> =>
    browser.page.evaluate(`${CHANGING}.trial.${expression}`) as Promise<T>;
  const outside: readonly (readonly [name: string, change: (turn: number) => Promise<unknown>])[] = [
    ['pointer', (turn) => browser.page.mouse.move(20 + ((turn * 137) % 900), 20 + ((turn * 89) % 650))],
    [
      'media',
      (turn) =>
        browser.page.evaluate(
          `document.querySelector('iframe')?.style.setProperty('width', '${turn % 8 < 4 ? 500 : 1000}px')`,
        ),
    ],
    [
      'color scheme',
      (turn) =>
        browser.page.sendCDP('Emulation.setEmulatedMedia', {
          features: [{ name: 'prefers-color-scheme', value: turn % 8 < 4 ? 'dark' : 'light' }],
        }),
    ],
    [
      'full screen',
      // A section also covers the rest of the page then, which other signals notice.
      (turn) =>
        browser.page.sendCDP('Runtime.evaluate', {
          expression: `(async ({ document }) => {
            if (document.fullscreenElement) await document.exitFullscreen();
            else await document.querySelector('${turn % 16 < 8 ? 'html' : 'section'}').requestFullscreen();
          })(${CHANGING})`,
          userGesture: true,
          awaitPromise: true,
        }),
    ],
  ];
  return {
    open: async (seed, off, path = '/') => {
      await browser.page.goto(`${browser.server.origin}${path}`, { waitUntil: 'load' });
      await browser.page.evaluate(`${CHANGING}.eval(${JSON.stringify(program)})`);
      if (off !== undefined) await evaluate(`switchOff(${JSON.stringify(off)})`);
      await evaluate(`build(${seed})`);
    },
    evaluate,
    changeFromOutside: async (turn, only) => {
      const kinds = outside.filter(([name]) => only === undefined || name === only);
      const [name, change] = kinds[turn % kinds.length] ?? ['none', () => Promise.resolve()];
      await change(turn);
      return name;
    },
  };
}

interface Outcome {
  readonly names: readonly string[];
  readonly found: string | null;
}

/** Script changes between two changes from outside. All kinds then make up the same share. */
const BETWEEN = 11;

/** Makes at least `steps` changes. Returns how often each kind occurred, and the first difference. */
export async function changeAtRandom(
  changing: ChangingDocument,
  steps: number,
): Promise<{ readonly counts: ReadonlyMap<string, number>; readonly found: string | null }> {
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (let turn = 0; turn * (BETWEEN + 1) < steps; turn += 1) {
    const { names, found } = await changing.evaluate<Outcome>(`run(${BETWEEN})`);
    for (const name of names) count(name);
    if (found !== null) return { counts, found: `after "${names.at(-1)}"\n${found}` };
    const name = await changing.changeFromOutside(turn);
    count(name);
    const after = await changing.evaluate<string | null>('difference()');
    if (after !== null) return { counts, found: `after "${name}"\n${after}` };
  }
  return { counts, found: null };
}
