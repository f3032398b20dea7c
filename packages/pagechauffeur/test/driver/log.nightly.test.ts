import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Driver, type LogLevel, type LogLine, type Page } from '../../src/index.ts';
import { firstPage } from '../support/driver-for-test.ts';
import { serve, type TestServer } from '../support/serve.ts';

let server: TestServer;

beforeAll(async () => {
  server = await serve({
    '/': `<title>Shop</title><button onclick="alert('thanks')">Buy</button><label>Name <input></label>`,
  });
});

afterAll(() => server.close());

/** Does the same few things with a driver of this verbosity and gives what it logged. */
async function linesOf(verbose: LogLevel, prepare?: (page: Page) => void): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  const driver = new Driver({ env: 'LOCAL', verbose, model: 'offline/lexical', logger: (line) => lines.push(line) });
  await driver.init();
  const page = firstPage(driver);
  prepare?.(page);
  await page.goto(server.origin);
  await driver.act('click Buy');
  await driver.act('fill %who% into the name', { variables: { who: 'Grace Hopper' } });
  await driver.observe('the buttons');
  await driver.extract();
  await expect(page.goto('http://no-such-host.invalid/')).rejects.toThrow('ERR_NAME_NOT_RESOLVED');
  await expect(driver.act('')).rejects.toThrow('instruction must be');
  await driver.close();
  return lines;
}

describe('driver log', () => {
  // [spec: driver-options.verbose, events.verbosity]
  it('contains only problems at `verbose: 0`', async () => {
    const lines = await linesOf(0, (page) => {
      page.once('response', () => {
        throw new RangeError('broken listener');
      });
    });
    expect(lines).toEqual([
      {
        category: 'page',
        level: 0,
        message: expect.stringMatching(/^A listener for "response" threw: .*broken listener/),
        timestamp: expect.any(String),
      },
    ]);
  });

  // [spec: driver-options.verbose, driver-options.logger, events.logger, events.category, events.message]
  it('contains one line per step at `verbose: 1`, including failures, in order', async () => {
    const lines = await linesOf(1);
    expect(
      lines
        .filter(({ message }) => !message.startsWith('Running as root'))
        .map(({ category, message }) => `${category}: ${message.replaceAll(server.origin, 'ORIGIN')}`)
        .map((line) => line.replace(/\d+ ms\)$/, 'N ms)')),
    ).toEqual([
      expect.stringMatching(/^launch: Started \//),
      'driver: Ready.',
      'navigation: goto ORIGIN/ (200)',
      'page: Dismissed a dialog (alert): "thanks"',
      expect.stringMatching(/^act: act "click Buy" → Done: click on button "Buy"; a dialog \(alert\) said "thanks"\./),
      expect.stringMatching(/^act: act "fill %who% into the name" → Done: fill on textbox "Name"\./),
      expect.stringMatching(/^observe: observe "the buttons" → 1 found: .*Buy.* \(1 call, N ms\)$/),
      expect.stringMatching(/^extract: extract → pageText \(\d+ characters\) read \(no model, N ms\)$/),
      expect.stringMatching(
        /^navigation: goto failed: Cannot open http:\/\/no-such-host\.invalid\/: net::ERR_NAME_NOT_RESOLVED/,
      ),
      expect.stringMatching(/^act: act "" failed: instruction must be a non-empty string/),
      'driver: Closed the browser.',
    ]);
    expect(new Set(lines.map(({ level }) => level))).toEqual(new Set([1]));
    expect(lines.every(({ timestamp }) => new Date(timestamp).toISOString() === timestamp)).toBe(true);
    expect(JSON.stringify(lines)).not.toContain('Grace');
  });

  // [spec: driver-options.verbose, events.verbosity]
  it('adds model details at `verbose: 2`', async () => {
    const lines = await linesOf(2);
    expect(
      lines.filter(({ category, level }) => category === 'model' && level === 2).map(({ message }) => message),
    ).toEqual(
      ['act', 'act', 'observe'].map((verb) =>
        expect.stringMatching(new RegExp(`^offline/lexical answered ${verb} in \\d+ ms$`)),
      ),
    );
    expect(lines.filter(({ level }) => level === 1).length).toBeGreaterThan(9);
    expect(lines.filter(({ category, level }) => category === 'launch' && level === 2)).toMatchObject([
      { message: expect.stringMatching(/^Found \/.+ in (CHROME_PATH|the usual install locations)\.$/) },
      {
        message: expect.stringMatching(/^Started in \d+ ms with the arguments --.*--remote-debugging-port=0/),
        auxiliary: { ms: expect.any(Number), args: expect.arrayContaining(['--headless=new']) },
      },
      {
        message: expect.stringMatching(/^Connected to \w+\/\d+\.\d+\S* at ws:\/\/127\.0\.0\.1:\d+\/\S+ in \d+ ms\.$/),
        auxiliary: { ms: expect.any(Number), product: expect.stringContaining('/') },
      },
    ]);
  });

  const run = (mode: string): { stdout: string; stderr: string } => {
    const program = fileURLToPath(new URL('./programs/start-and-close.ts', import.meta.url));
    return spawnSync(process.execPath, [program, mode], { encoding: 'utf8' });
  };

  // [spec: driver-options.disableLoggerBackend]
  it('writes JSON lines to standard error and nothing to standard output', () => {
    const { stdout, stderr } = run('default');
    expect(stdout).toBe('');
    const messages = stderr
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages).toEqual(expect.arrayContaining(['Ready.', 'Closed the browser.']));
  });

  // [spec: driver-options.disableLoggerBackend]
  it('writes nothing with `disableLoggerBackend: true`', () => {
    expect(run('off')).toMatchObject({ stdout: '', stderr: '' });
  });
});
