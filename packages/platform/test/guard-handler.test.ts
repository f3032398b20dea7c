import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardHandler } from '../src/guard-handler.ts';
import { AddressRules } from '../src/egress/address-rules.ts';
import { type EgressProxy, openEgressProxy } from '../src/egress/egress-proxy.ts';
import { keptLog } from './support/kept-log.ts';
import { deep, statusBy } from './support/mutated-messages.ts';
import { connectRaw, type RawClient } from './support/raw-client.ts';
import { usePlatform } from './support/use-platform.ts';

describe('guardHandler()', () => {
  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new RangeError('too deep');
      },
    ],
    ['rejects', () => Promise.reject(new RangeError('too deep'))],
    [
      'throws a value that is not an error',
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- libraries do
        throw 'too deep';
      },
    ],
  ])('ends the connection and logs the reason if the handler %s', async (_how, handle) => {
    const log = keptLog();
    const ended: string[] = [];
    const guard = { name: 'gateway', log, facts: { session: 's1' }, end: (id: string) => ended.push(id) };
    guardHandler(guard, (_id: string) => handle())('one');
    await expect.poll(() => ended).toEqual(['one']);
    expect(log.lines).toEqual([
      expect.stringMatching(/"handler":"gateway","session":"s1".*too deep.*ended a connection/),
    ]);
  });

  it('logs both errors if closing the connection fails too', () => {
    const log = keptLog();
    const fail = (): never => {
      throw new TypeError('again');
    };
    guardHandler({ name: 'gateway', log, end: fail }, fail)();
    expect(log.lines).toHaveLength(2);
  });
});

describe('egress proxy', () => {
  let server: Server;
  let egress: EgressProxy;
  let head = '';
  const log = keptLog();

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(head, 'latin1'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    egress = await openEgressProxy(new AddressRules(['127.0.0.1']), { log });
  });
  afterAll(async () => {
    await egress?.close();
    server?.close();
  });

  /** Status of the answer through the proxy. 0 if it is cut. */
  function statusOf(answer: string): Promise<number> {
    head = answer;
    return statusBy(egress, (server.address() as AddressInfo).port);
  }

  const FINE = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  it.each([
    ['an announced trailer', 'HTTP/1.1 200 OK\r\nTrailer: X-A\r\nContent-Length: 2\r\n\r\nok', [200]],
    ['a trailer without content', 'HTTP/1.1 204 No Content\r\nTrailer: X-A\r\n\r\n', [204]],
    ['the status 000', 'HTTP/1.1 000 Nothing\r\nContent-Length: 2\r\n\r\nok', [502]],
    ['the status 099', 'HTTP/1.1 099 Nothing\r\nContent-Length: 2\r\n\r\nok', [502]],
    ['a control character in the status text', 'HTTP/1.1 200 O\u0001K\r\nContent-Length: 2\r\n\r\nok', [200, 502]],
    ['a control character in a header', 'HTTP/1.1 200 OK\r\nX-A: \u0001\r\nContent-Length: 2\r\n\r\nok', [200, 502]],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: a\r\nContent-Length: 2\r\n\r\nok', [200, 502]],
    ['two `Content-Length` headers', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok', [502]],
    [
      'a length and chunked encoding',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      [200, 502],
    ],
    ['an SSH banner instead of HTTP', 'SSH-2.0-OpenSSH\r\n', [502]],
    ['no data', '', [502]],
  ])('serves the next request after a response with %s', async (_what, answer, statuses) => {
    expect(statuses).toContain(await statusOf(answer));
    expect(await statusOf(FINE)).toBe(200);
  });

  it('serves the next request after malformed ones', async () => {
    for (const text of [
      'CONNECT  HTTP/1.1\r\n\r\n',
      'CONNECT \u00ff:1 HTTP/1.1\r\n\r\n',
      'GET http://127.0.0.1:99999/ HTTP/1.1\r\n\r\n',
      'GET http://127.0.0.1:1/\u00e4 HTTP/1.1\r\nHost: a\r\n\r\n',
      'CONNECT [::::]:x HTTP/1.1\r\nHost: a\r\n\r\n',
    ]) {
      const socket = connect(egress.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.end(text, 'latin1');
      await once(socket.resume(), 'close');
    }
    expect(await statusOf(FINE)).toBe(200);
  });
});

describe('gateway', () => {
  const shared = usePlatform({ capacity: 2 });
  let url = '';
  let witness: RawClient;

  beforeAll(async () => {
    const { body } = await shared.ask('POST', '/v1/sessions', { body: {} });
    url = String(body['connectUrl']);
    witness = await connectRaw(url);
  });
  afterAll(() => witness?.socket.close());

  it('closes a connection that pipelines too many requests', async () => {
    const socket = connect(Number(new URL(shared.platform.url).port), '127.0.0.1');
    let answers = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => (answers += String(data).split('HTTP/1.1 200').length - 1));
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500));
    await once(socket, 'close');
    expect(answers).toBeLessThan(500);
    expect((await shared.ask('GET', '/healthz', { key: '' })).status).toBe(200);
  });

  const noText = '{"toString":1}';

  it.each([
    ['parameters nested 50,000 deep', `{"id":1,"method":"Runtime.evaluate","params":${deep(50_000)}}`],
    [
      'an array nested 50,000 deep',
      `{"id":1,"method":"Runtime.evaluate","params":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
    ],
    ['a URL that is not a string', `{"id":1,"method":"Page.navigate","params":{"url":${noText}}}`],
    ['a URL in an array', `{"id":1,"method":"Target.createTarget","params":{"url":[${noText}]}}`],
    ['a method that is not a string', `{"id":1,"method":${noText}}`],
    ['a session that is not a string', `{"id":1,"method":"Runtime.evaluate","sessionId":${noText}}`],
    ['an id that is not a number', `{"id":${noText},"method":"Tethering.bind"}`],
    [
      'a folder that is not a string',
      `{"id":1,"method":"Browser.setDownloadBehavior","params":{"behavior":"allow","downloadPath":${noText}}}`,
    ],
    [
      'a proxy that is not a string',
      `{"id":1,"method":"Target.createBrowserContext","params":{"proxyServer":${noText}}}`,
    ],
    ['parameters that are an array', '{"id":1,"method":"Page.navigate","params":[1]}'],
    ['parameters that are null', '{"id":1,"method":"Page.navigate","params":null}'],
  ])('keeps other clients connected after %s', async (_what, message) => {
    const evil = await connectRaw(url);
    evil.socket.send(message);
    evil.socket.send('{"id":2,"method":"Browser.getVersion"}');
    // Invalid messages close the socket or are answered.
    await Promise.race([evil.closed, once(evil.socket, 'message')]);
    evil.socket.terminate();
    expect((await witness.command('Browser.getVersion')).result).toBeDefined();
  });
});
