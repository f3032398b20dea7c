import { expect, it } from 'vitest';
import { layerFaults, missingPaths, parseLayers } from './check-layers.ts';
import { parseSource } from './source-file.ts';

const table = `
| layer | folders | imports across the row | what it holds |
| --- | --- | --- | --- |
| 1 | \`index.ts\` | none | names |
| 2 | \`act/\` \`observe/\` | none | verbs |
| 3 | \`page/\` \`model/\` | \`page/\` → \`model/\` | objects |
| 4 | \`cdp/\` | none | protocol |
| 5 | \`injected/\` \`generated/\` | none | in-page |
| 6 | \`errors.ts\` | none | errors |
`;

const clean = {
  'index.ts': 'export { act } from "./act/act.ts";',
  'act/act.ts':
    'import { Page } from "../page/page.ts"; import { readFile } from "node:fs"; import { x } from "./x.ts";',
  'observe/observe.ts': 'import { DriverError } from "../errors.ts";',
  'page/page.ts': 'import { Model } from "../model/model.ts"; import type { Box } from "../injected/contract.ts";',
  'model/model.ts': '',
  'cdp/world.ts': 'import { injectedSource } from "../generated/injected-source.ts";',
  'injected/main.ts': 'import { refs } from "./refs.ts";',
  'errors.ts': '',
};

function faultsWith(changes: Record<string, string>): string[] {
  const files = Object.entries({ ...clean, ...changes }).map(([path, text]) => parseSource(path, text));
  return layerFaults(parseLayers(table), files);
}

it('accepts downward imports, and those that a row allows', () => {
  expect(faultsWith({})).toEqual([]);
});

it.each([
  ['cdp/x.ts', 'import { Page } from "../page/page.ts";', 'cdp/ may not import upward, from page/'],
  ['cdp/x.ts', 'import type { Page } from "../page/page.ts";', 'upward'],
  ['cdp/x.ts', 'export * from "../page/page.ts";', 'upward'],
  ['cdp/x.ts', 'const page = await import("../page/page.ts");', 'upward'],
  ['cdp/x.ts', 'type Page = import("../page/page.ts").Page;', 'upward'],
  ['errors.ts', 'import { Page } from "./page/page.ts";', 'upward'],
  ['act/x.ts', 'import { observe } from "../observe/observe.ts";', 'one row'],
  ['model/x.ts', 'import { Page } from "../page/page.ts";', 'one row'],
  ['page/x.ts', 'import { refs } from "../injected/refs.ts";', 'only the types of injected/contract.ts'],
  ['page/x.ts', 'import { Box } from "../injected/contract.ts";', 'only the types of injected/contract.ts'],
  ['page/x.ts', 'import { injectedSource } from "../generated/injected-source.ts";', 'only cdp/'],
  ['injected/x.ts', 'import { DriverError } from "../errors.ts";', 'another program'],
  ['injected/x.ts', 'import { z } from "zod";', 'another program'],
])('rejects in %s: %s', (path, text, reason) => {
  const [fault, ...others] = faultsWith({ [path]: text });
  expect(fault).toContain(`${path}:1 imports`);
  expect(fault).toContain(reason);
  expect(others).toEqual([]);
});

it('reports a folder that is missing in the table, and a row without a folder', () => {
  expect(faultsWith({ 'extra/x.ts': '' })).toEqual(['extra/ is in no row of the layer table']);
  const files = [parseSource('index.ts', '')];
  expect(layerFaults(parseLayers('| 1 | `index.ts` `gone/` | none | names |'), files)).toEqual([
    'gone/ is in the layer table, but there is no such file or folder',
  ]);
});

it('rejects a row whose exceptions it cannot parse', () => {
  expect(() => parseLayers('| 1 | `index.ts` | except some | names |')).toThrow(/except some/);
});

it('names the paths in a page that lead to no file', () => {
  const page = 'Open `act/act.ts`, `cdp/gone.ts` and `other.ts`; `act/` is a folder.';
  expect(missingPaths(page, (path) => path === 'act/act.ts')).toEqual(['cdp/gone.ts does not exist']);
});
