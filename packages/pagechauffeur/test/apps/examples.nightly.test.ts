import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startShop } from '../../../../examples/shop/start-shop.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const EXAMPLE_TIMEOUT = 90_000;
/** With a key the demo would ask a provider's model. */
const KEYS = [
  'OPENAI_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
];
const areAppsInstalled = existsSync(join(ROOT, 'apps/node_modules'));

interface Run {
  readonly exitCode: number;
  readonly output: string;
}

/** Runs an example as a user does, with the built library. */
async function runExample(file: string, ...words: readonly string[]): Promise<Run> {
  const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' };
  for (const key of KEYS) delete env[key as keyof typeof env];
  const { promise, resolve } = Promise.withResolvers<Run>();
  const child = execFile(
    process.execPath,
    [join(ROOT, 'examples', file), ...words],
    { cwd: ROOT, env },
    (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr });
    },
  );
  return promise;
}

test('`first-script.ts` adds a kettle to the cart and reads it back', { timeout: EXAMPLE_TIMEOUT }, async () => {
  const { exitCode, output } = await runExample('first-script.ts');
  expect(output).toContain('In the cart: 1 × Gooseneck kettle');
  expect(exitCode).toBe(0);
});

test.each<readonly [file: string, lines: readonly string[]]>([
  [
    'verbs/act',
    [
      'true, changed: Cart: blue',
      'again: changed',
      'print: none-observed',
      'false: Found no step for "click \\"Check out\\""',
    ],
  ],
  [
    'verbs/observe',
    [
      'fill textbox "E-mail" at xpath=/html[1]/body[1]/main[1]/label[1]/input[1]',
      'click button "Sign in" at xpath=/html[1]/body[1]/main[1]/button[1]',
      'fill %address%',
      'typed: ada@example.com',
    ],
  ],
  [
    'verbs/extract',
    [
      'Blue mug: 8.50 at https://mugs.example/blue',
      'Red mug: 9.00 at https://mugs.example/red',
      'the red mug costs 9',
      'heading 1 "Mugs"',
    ],
  ],
  ['verbs/variables', ['typed: 28 characters, floor 3', 'done: fill %password%', 'the value was told to nobody']],
  [
    'verbs/cache',
    [
      'a model was asked: Done: click on button "Add the blue mug"',
      'no model was asked: Done, cached: click on button "Add the blue mug"',
      'the page says: 1 mug',
    ],
  ],
  [
    'agent',
    [
      'step 2: check changed',
      'success: true, completed: true',
      'the page says: Ordered for Ada Lovelace, wrapped',
      'the value was told to nobody',
    ],
  ],
  [
    'agent-again',
    [
      'first: Done: select on combobox "Size".',
      'A large mug for Ada',
      'again: Done, cached: click button "Order".',
      'A large mug for Grace',
      '3 of 3 steps were replayed without a model',
      '// choose large as the size',
      '.fill(variables.who);',
    ],
  ],
  [
    'remote/platform',
    ['The first time: changed, cache MISS', 'The second time: changed, cache HIT', 'In the cart: 2 × Gooseneck kettle'],
  ],
  ['remote/take-over', ['the person has taken over', 'a person has seen to it', 'Welcome, 6 digits, qwerty']],
  ['page/frames', ['3 frames, the form in checkout > card', 'typed: 4242 4242 4242 4242', 'the order is Paid']],
  ['page/keyboard-and-mouse', ['A square, drawn by hand!', 'mousedown 49 49 with Shift, mouseup 149 149 with Shift']],
  ['page/dialogs-and-downloads', ['prompt: Name of the file?', 'confirm: Export mugs?', 'mugs.csv: mug,9']],
  [
    'page/requests',
    [
      'GET https://mugs.example/api/mugs for https://mugs.example/',
      '200 /api/mugs',
      'https://mugs.example/ is text/html',
      'on sale: red mug',
      'the picture failed: net::ERR_BLOCKED_BY_CLIENT',
    ],
  ],
])('example %s exits with 0 and prints its documented lines', { timeout: EXAMPLE_TIMEOUT }, async (file, lines) => {
  const { exitCode, output } = await runExample(`${file}.ts`);
  for (const line of lines) expect(output).toContain(line);
  expect(exitCode).toBe(0);
});

test(
  'demo orders in the shop, compares the order with the shop, and prints no variable value',
  { timeout: EXAMPLE_TIMEOUT },
  async () => {
    const { exitCode, output } = await runExample('demo/main.ts');
    expect(output).toContain('✓ the order is what was asked for and what the page said');
    expect(output).not.toContain('✗');
    expect(output).toContain('output/demo-shop.png');
    expect(output).toContain('%email%');
    expect(output).not.toContain('visitor@tidewater.example');
    expect(output).not.toContain('4000 0566');
    expect(exitCode).toBe(0);
  },
);

test('demo runs an instruction of the command line on the given URL', { timeout: EXAMPLE_TIMEOUT }, async () => {
  const shop = await startShop();
  try {
    const { exitCode, output } = await runExample('demo/main.ts', shop.url, 'open the product "Gooseneck kettle"');
    expect(output).toContain('output/demo-page.png');
    expect(exitCode).toBe(0);
  } finally {
    await shop.close();
  }
});

test(
  'demo exits with 1 and names the requested element when the page does not have it',
  { timeout: EXAMPLE_TIMEOUT },
  async () => {
    const shop = await startShop();
    try {
      const { exitCode, output } = await runExample('demo/main.ts', shop.url, 'press "Launch the rocket"');
      expect(output).toContain('The demo failed.');
      expect(output).toContain('Launch the rocket');
      expect(exitCode).toBe(1);
    } finally {
      await shop.close();
    }
  },
);

describe.skipIf(!areAppsInstalled)('bundled application', () => {
  test('TiddlyWiki example saves a note with its title, tag and text', { timeout: EXAMPLE_TIMEOUT }, async () => {
    const { exitCode, output } = await runExample('tiddlywiki/main.ts');
    expect(output).toContain('✓ the note was saved with its title, tag and text');
    expect(exitCode).toBe(0);
  });
});
