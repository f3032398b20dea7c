import { expect, it } from 'vitest';
import type { PageSettings } from '../../actions/call-limits.ts';
import { PausedRequest } from '../../cdp/network/paused-request.ts';
import { Session } from '../../cdp/session.ts';
import { Log } from '../../util/log.ts';
import { RouteTable, type RouteTableSetup } from './route-table.ts';

const ADDRESS = 'https://shop.example/api';
const ORIGINAL = { method: 'GET', headers: {} };
const PREFLIGHT = { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'PUT' } };

/** Returns the log of a request whose commands the browser rejects. */
async function logOf(request: object): Promise<string[]> {
  const lines: string[] = [];
  const logger = ({ message }: { message: string }): void => void lines.push(message);
  const log = new Log({ verbose: 0, logger, disableLoggerBackend: true });
  const table = new RouteTable({ settings: { log } as PageSettings, pages: () => [] } as unknown as RouteTableSetup);
  table.add('**', () => {
    throw new TypeError('a mistake of mine');
  });
  let commands = 0;
  const session = new Session('page', () => {
    commands += 1;
    const reply = { id: commands, error: { code: 0, message: `rejected ${commands}` } };
    queueMicrotask(() => session.receive(reply, { isCut: false }));
    return commands;
  });
  const event = { requestId: 'request', frameId: 'main', resourceType: 'Fetch', request: { url: ADDRESS, ...request } };
  table.handle(new PausedRequest(session, event as never), () => undefined);
  await new Promise(setImmediate);
  return lines;
}

it('logs a preflight that the browser does not let it answer', async () => {
  expect(await logOf(PREFLIGHT)).toEqual([
    expect.stringMatching(`^The CORS preflight for ${ADDRESS} failed: .*rejected`),
  ]);
});

it('logs a handler that throws, and a request that it then cannot abort', async () => {
  expect(await logOf(ORIGINAL)).toEqual([
    expect.stringMatching(`^A route handler for ${ADDRESS} threw: TypeError: a mistake of mine`),
    expect.stringMatching(`^The request for ${ADDRESS} cannot be aborted after its route handler threw: .*rejected 1`),
  ]);
});
