import { expect, it } from 'vitest';
import { runProgram } from '../support/run-program.ts';
import { MAX_ABOVE_IDLE } from './memory.ts';

/**
 * What pages do again and again, with the number of turns after which calls begin, or once, with 50 million characters. A
 * driver that kept what comes in these turns would exceed its bound.
 */
const ATTACKS: readonly (readonly [what: string, script: string, turns: number])[] = [
  ['`data:` URLs of 2 MB', `let n = 0; repeat(() => fetch('data:text/plain,' + n++ + 'a'.repeat(2e6)), 60)`, 150],
  [
    'request bodies of 3 MB',
    `repeat(() => fetch('/', { method: 'POST', body: 'b'.repeat(3e6) }).catch(() => 0), 60)`,
    100,
  ],
  ['response headers of 100 KB', `repeat(() => fetch('/long-headers').catch(() => 0), 33)`, 300],
  ['console messages of 5 MB', `repeat(() => console.log('c'.repeat(5e6)), 100)`, 80],
  [
    'console objects of 4 MB',
    `repeat(() => console.log({ a: ['x'.repeat(2e6)], b: { c: 'y'.repeat(2e6) } }), 100)`,
    80,
  ],
  [
    'bursts of 500 console objects',
    `repeat(() => { for (let i = 0; i < 500; i += 1) console.log('line', i, { a: 1 }) }, 10)`,
    500,
  ],
  ['page titles of 1 MB', `let n = 0; repeat(() => { document.title = n++ + 't'.repeat(1e6) }, 10)`, 1000],
  ['URL hashes of 1 MB', `let n = 0; repeat(() => { location.hash = n++ + 'h'.repeat(1e6) }, 2000)`, 10],
  ['a page title of 50 MB', `document.title = 't '.repeat(25e6)`, 0],
  [
    'an accessible name of 50 MB',
    `document.querySelector('p').role = 'button'; document.querySelector('p').ariaLabel = 'l '.repeat(25e6)`,
    0,
  ],
  ['a text of 50 MB', `document.querySelector('p').textContent = 'word '.repeat(10e6)`, 0],
  [
    'texts of 5 MB in 10 frames',
    `for (let i = 0; i < 10; i += 1) { const frame = document.body.appendChild(document.createElement('iframe')); frame.contentDocument.body.textContent = 'word '.repeat(1e6) }`,
    0,
  ],
  [
    '30 options of 1 MB',
    `const select = document.body.appendChild(document.createElement('select')); for (let i = 0; i < 30; i += 1) select.add(new Option(i + 'o'.repeat(1e6)))`,
    0,
  ],
  [
    'console calls with 200 arguments',
    `repeat(() => console.log(...Array.from({ length: 200 }, (_, n) => n + 'x'.repeat(1e5))), 50)`,
    20,
  ],
  [
    'frame names of 50 MB',
    `if (top === self) for (let i = 0; i < 2; i += 1) { const frame = document.createElement('iframe'); frame.name = i + 'n'.repeat(5e7); frame.src = '/?' + i; document.body.append(frame) }`,
    0,
  ],
  ['alerts of 10 MB', `repeat(() => alert('a'.repeat(1e7)), 1000)`, 20],
  ['uncaught errors of 5 MB', `repeat(() => { throw new Error('e'.repeat(5e6)) }, 200)`, 80],
  [
    '200 nested sections with long names',
    `let inner = document.body; for (let i = 0; i < 200; i += 1) { inner = inner.appendChild(document.createElement('section')); inner.ariaLabel = i + 's'.repeat(2e5) } inner.append(document.querySelector('button'))`,
    0,
  ],
];

/** What a call may fail with: it says what to do about it. */
const CLEAR_FAILURE = /^(?:Driver|Act|Observe|Extract)\w*Error [A-Z_]+$/;

it.each(ATTACKS)(
  'keeps memory bounded with %s, and each call works or fails with a driver error',
  async (_what, script, turns) => {
    await using program = runProgram(new URL('programs/face-attack.ts', import.meta.url), [script, String(turns)]);
    const { aboveIdle, failures } = JSON.parse(await program.lineWith('aboveIdle')) as Outcome;
    for (const failure of failures) expect(failure).toMatch(CLEAR_FAILURE);
    expect(aboveIdle).toBeLessThan(MAX_ABOVE_IDLE);
    expect(await program.ended).toBe(0);
  },
  300_000,
);

interface Outcome {
  readonly aboveIdle: number;
  readonly failures: readonly string[];
}
