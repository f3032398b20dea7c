import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Cookie,
  DriverCookieError,
  type DriverContext,
  DriverInvalidArgumentError,
  type NewCookie,
  type Page,
} from '../../src/index.ts';
import { failureOf } from '../support/failure-of.ts';
import { useBrowser } from '../support/use-browser.ts';

let page: Page;
let context: DriverContext;

/** What is not given in a test. */
const plain = { value: 'v', path: '/', expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' } as const;

const test = useBrowser({
  routes: {
    '/': '<title>Site</title>',
    '/set': (_request, response) => {
      response.setHeader('set-cookie', [
        'plain=1',
        'strict=2; SameSite=Strict; HttpOnly',
        'lax=3; SameSite=Lax; Path=/set',
        'kept=4; Expires=Fri, 01 Jan 2027 00:00:00 GMT',
      ]);
      response.setHeader('content-type', 'text/html');
      response.end('<title>Set</title>');
    },
    '/echo': (request, response) => response.end(request.headers.cookie ?? 'none'),
  },
});

beforeAll(() => {
  ({ page } = test);
  ({ context } = test.driver);
});

afterEach(async () => {
  await context.clearCookies();
});

async function names(urls?: string | readonly string[]): Promise<string[]> {
  return (await context.cookies(urls)).map(({ name }) => name).toSorted();
}

async function sentTo(url: string): Promise<string> {
  await page.goto(url);
  return String(await page.evaluate('document.body.innerText'));
}

describe('cookies()', () => {
  it('is empty in a browser without cookies', async () => {
    expect(await context.cookies()).toEqual([]);
  });

  it('returns exactly eight properties of a cookie that a script set', async () => {
    await page.goto(test.server.origin);
    // Reading waits until the browser has what was written.
    expect(await page.evaluate('document.cookie = "user=Ann"; document.cookie')).toBe('user=Ann');
    expect(await context.cookies()).toEqual([{ ...plain, name: 'user', value: 'Ann', domain: '127.0.0.1' }]);
  });

  it('returns HttpOnly, SameSite, Path and Expires as the server set them', async () => {
    await page.goto(`${test.server.origin}/set`);
    const byName = Object.fromEntries((await context.cookies()).map((cookie) => [cookie.name, cookie]));
    // The browser takes the difference between its clock and the server's into account, which gives moments.
    const end: unknown = expect.closeTo(Date.UTC(2027, 0, 1) / 1000, -2);
    expect(byName).toEqual({
      plain: { ...plain, name: 'plain', value: '1', domain: '127.0.0.1' },
      strict: { ...plain, name: 'strict', value: '2', domain: '127.0.0.1', sameSite: 'Strict', httpOnly: true },
      lax: { ...plain, name: 'lax', value: '3', domain: '127.0.0.1', path: '/set' },
      kept: { ...plain, name: 'kept', value: '4', domain: '127.0.0.1', expires: end },
    });
  });

  describe('with a URL filter', () => {
    const jar: NewCookie[] = [
      { name: 'host', value: 'v', domain: 'shop.test', path: '/' },
      { name: 'below', value: 'v', domain: '.shop.test', path: '/' },
      { name: 'folder', value: 'v', domain: 'shop.test', path: '/cart' },
      { name: 'locked', value: 'v', domain: 'shop.test', path: '/', secure: true },
      { name: 'local', value: 'v', domain: 'localhost', path: '/', secure: true },
      { name: 'other', value: 'v', domain: 'other.test', path: '/' },
    ];

    it.each([
      ['http://shop.test/', ['below', 'host']],
      ['https://shop.test/', ['below', 'host', 'locked']],
      ['wss://shop.test/', ['below', 'host', 'locked']],
      ['http://shop.test/cart', ['below', 'folder', 'host']],
      ['http://shop.test/cart/items?all=1', ['below', 'folder', 'host']],
      ['http://shop.test/cartoon', ['below', 'host']],
      ['http://www.shop.test/', ['below']],
      ['http://a.b.shop.test:8080/', ['below']],
      ['http://workshop.test/', []],
      ['http://test/', []],
      ['http://localhost:3000/', ['local']],
      ['http://127.0.0.1/', []],
      [
        ['http://other.test/', 'http://www.shop.test/'],
        ['below', 'other'],
      ],
      [[], ['below', 'folder', 'host', 'local', 'locked', 'other']],
      [undefined, ['below', 'folder', 'host', 'local', 'locked', 'other']],
    ])('returns for %j the cookies that a request would carry: %j', async (urls, expected) => {
      await context.addCookies(jar);
      expect(await names(urls)).toEqual(expected);
    });

    it.each([['no address'], [5], [null], [['http://ok.test/', '']], [{}]])(
      'rejects %j as a URL filter',
      async (urls) => {
        const failure = failureOf(context.cookies(urls as never));
        expect(await failure).toBeInstanceOf(DriverInvalidArgumentError);
        expect(await failure).toMatchObject({ argument: 'urls', message: expect.stringContaining('must be a URL') });
      },
    );
  });
});

describe('addCookies()', () => {
  it('sends added cookies with requests and hides HttpOnly cookies from scripts', async () => {
    await context.addCookies([
      { name: 'open', value: 'a b', url: test.server.origin },
      { name: 'closed', value: 'c', url: test.server.origin, httpOnly: true },
    ]);
    expect(await sentTo(`${test.server.origin}/echo`)).toBe('open=a b; closed=c');
    expect(await page.evaluate('document.cookie')).toBe('open=a b');
  });

  it.each<[NewCookie, Partial<Cookie>]>([
    [
      { name: 'a', value: 'v', url: 'https://shop.test' },
      { domain: 'shop.test', path: '/', secure: true },
    ],
    [
      { name: 'a', value: 'v', url: 'http://shop.test/cart/items' },
      { domain: 'shop.test', path: '/cart/', secure: false },
    ],
    [{ name: 'a', value: 'v', url: 'https://shop.test', secure: false }, { secure: false }],
    [
      { name: 'a', value: 'v', url: 'http://localhost', secure: true },
      { domain: 'localhost', secure: true },
    ],
    [{ name: 'a', value: 'v', url: 'http://bücher.test/' }, { domain: 'xn--bcher-kva.test' }],
    [
      { name: 'a', value: 'v', domain: '.shop.test', path: '/x' },
      { domain: '.shop.test', path: '/x' },
    ],
    [{ name: 'a', value: 'v', domain: 'shop.test', path: '/' }, { domain: 'shop.test' }],
    [{ name: 'a', value: 'v', domain: '127.0.0.1', path: '/' }, { domain: '127.0.0.1' }],
    [{ name: 'a', value: 'v', domain: '[::1]', path: '/' }, { domain: '[::1]' }],
    [
      { name: 'a', value: 'v', url: 'https://shop.test', sameSite: 'None' },
      { sameSite: 'None', secure: true },
    ],
    [{ name: 'a', value: 'v', url: 'https://shop.test', sameSite: 'Strict' }, { sameSite: 'Strict' }],
    [{ name: 'a', value: 'v', url: 'https://shop.test', expires: -1 }, { expires: -1 }],
    [{ name: 'a', value: '', url: 'https://shop.test' }, { value: '' }],
    [
      { name: '', value: 'nameless', url: 'https://shop.test' },
      { name: '', value: 'nameless' },
    ],
    [
      { name: 'ключ', value: '値 🍪', url: 'https://shop.test' },
      { name: 'ключ', value: '値 🍪' },
    ],
    [{ name: 'a', value: 'b=c', url: 'https://shop.test' }, { value: 'b=c' }],
    [
      { name: '__Host-a', value: 'v', url: 'https://shop.test' },
      { name: '__Host-a', secure: true },
    ],
    [{ name: '__Secure-a', value: 'v', domain: '.shop.test', path: '/x', secure: true }, { name: '__Secure-a' }],
  ])('accepts %j', async (cookie, expected) => {
    await context.addCookies([cookie]);
    expect(await context.cookies()).toEqual([expect.objectContaining(expected)]);
  });

  it('keeps `expires` in seconds', async () => {
    const expires = Math.floor(Date.now() / 1000) + 3600;
    await context.addCookies([{ name: 'a', value: 'v', url: test.server.origin, expires }]);
    expect(await context.cookies()).toEqual([expect.objectContaining({ expires })]);
  });

  it('removes a cookie when `expires` is in the past', async () => {
    await context.addCookies([{ name: 'a', value: 'v', url: test.server.origin }]);
    await context.addCookies([{ name: 'a', value: 'v', url: test.server.origin, expires: 1 }]);
    expect(await context.cookies()).toEqual([]);
  });

  it('replaces only the cookie with the same name, domain and path', async () => {
    await context.addCookies([
      { name: 'a', value: '1', domain: 'shop.test', path: '/' },
      { name: 'a', value: '2', domain: 'shop.test', path: '/x' },
    ]);
    await context.addCookies([{ name: 'a', value: '3', domain: 'shop.test', path: '/' }]);
    expect((await context.cookies()).map(({ path, value }) => path + value).toSorted()).toEqual(['/3', '/x2']);
  });

  it('restores the result of cookies()', async () => {
    await page.goto(`${test.server.origin}/set`);
    const before = await context.cookies();
    await context.clearCookies();
    await context.addCookies(before);
    const byName = (first: Cookie, second: Cookie): number => first.name.localeCompare(second.name);
    expect((await context.cookies()).toSorted(byName)).toEqual(before.toSorted(byName));
  });

  it.each<[string, unknown]>([
    ['needs a url, or a domain and a path', { name: 'a', value: 'v' }],
    ['needs a url, or a domain and a path', { name: 'a', value: 'v', domain: 'shop.test' }],
    ['needs a url, or a domain and a path', { name: 'a', value: 'v', path: '/' }],
    [
      'has a url and a domain; pass only one of them',
      { name: 'a', value: 'v', url: 'https://a.test', domain: 'a.test' },
    ],
    ['has a url and a path; the url already has a path', { name: 'a', value: 'v', url: 'https://a.test', path: '/' }],
    ['only http and https URLs have cookies', { name: 'a', value: 'v', url: 'about:blank' }],
    ['only http and https URLs have cookies', { name: 'a', value: 'v', url: 'data:text/html,hello' }],
    ['only http and https URLs have cookies', { name: 'a', value: 'v', url: 'shop.test' }],
    ['must begin with /', { name: 'a', value: 'v', domain: 'a.test', path: 'x' }],
    ['which is not a host', { name: 'a', value: 'v', domain: 'https://a.test', path: '/' }],
    ['which is not a host', { name: 'a', value: 'v', domain: 'a.test:80', path: '/' }],
    ['which is not a host', { name: 'a', value: 'v', domain: '', path: '/' }],
    [
      'has sameSite None, which browsers accept only with secure',
      { name: 'a', value: 'v', url: 'http://a.test', sameSite: 'None' },
    ],
    [
      'needs sameSite to be Strict, Lax or None. Received the string "lax"',
      { name: 'a', value: 'v', url: 'http://a.test', sameSite: 'lax' },
    ],
    ['it looks like milliseconds', { name: 'a', value: 'v', url: 'http://a.test', expires: Date.UTC(2030, 0, 1) }],
    [
      'has expires -5, which must be -1 or a positive Unix time in seconds',
      { name: 'a', value: 'v', url: 'http://a.test', expires: -5 },
    ],
    ['has expires 0, which must be', { name: 'a', value: 'v', url: 'http://a.test', expires: 0 }],
    ['has expires NaN, which must be', { name: 'a', value: 'v', url: 'http://a.test', expires: Number.NaN }],
    [
      'needs expires to be a number. Received a value of type object',
      { name: 'a', value: 'v', url: 'http://a.test', expires: new Date() },
    ],
    ['needs name to be a string. Received undefined', { value: 'v', url: 'http://a.test' }],
    ['needs value to be a string. Received the number 5', { name: 'a', value: 5, url: 'http://a.test' }],
    ['needs httpOnly to be a boolean', { name: 'a', value: 'v', url: 'http://a.test', httpOnly: 'yes' }],
    ['has the unknown property "maxAge"', { name: 'a', value: 'v', url: 'http://a.test', maxAge: 5 }],
    ['has neither a name nor a value', { name: '', value: '', url: 'http://a.test' }],
    ['has a name with ";"', { name: 'a;b', value: 'v', url: 'http://a.test' }],
    ['has a name with ";", "="', { name: 'a=b', value: 'v', url: 'http://a.test' }],
    ['has a value with ";"', { name: 'a', value: 'v;w', url: 'http://a.test' }],
    ['has a value with ";", a control character', { name: 'a', value: 'v\nw', url: 'http://a.test' }],
    ['has more than 4096 bytes', { name: 'a', value: 'ü'.repeat(2048), url: 'http://a.test' }],
    ['has a name that browsers accept only with secure', { name: '__Secure-a', value: 'v', url: 'http://a.test' }],
    ['only for one host and the path /', { name: '__Host-a', value: 'v', domain: '.a.test', path: '/', secure: true }],
    ['only for one host and the path /', { name: '__Host-a', value: 'v', url: 'https://a.test/x/y' }],
    ['must be an object such as { name, value, url }. Received null', null],
    ['must be an object such as { name, value, url }. Received the string "a=b"', 'a=b'],
  ])('rejects with "%s" (%#) and sets no cookie', async (problem, cookie) => {
    const good = { name: 'good', value: 'v', url: test.server.origin };
    const failure = await failureOf(context.addCookies([good, cookie as NewCookie]));
    expect(failure).toBeInstanceOf(DriverCookieError);
    expect(failure).toMatchObject({
      code: 'COOKIE',
      issues: [{ index: 1, message: expect.stringContaining(problem) }],
      message: expect.stringMatching(/^No cookie was set\. cookies\[1\] /),
    });
    expect(await context.cookies()).toEqual([]);
  });

  it('reports all problems of all cookies in one error', async () => {
    const failure = await failureOf(
      context.addCookies([
        { name: 'a', value: 'v', url: 'http://a.test', sameSite: 'None', expires: 0 },
        { name: 'b', value: 'v' },
      ]),
    );
    expect((failure as DriverCookieError).issues.map(({ index, name }) => [index, name])).toEqual([
      [0, 'a'],
      [0, 'a'],
      [1, 'b'],
    ]);
  });

  it.each([[undefined], [null], ['a=b'], [{ name: 'a', value: 'v', url: 'http://a.test' }]])(
    'rejects %j instead of an array',
    async (cookies) => {
      expect(await failureOf(context.addCookies(cookies as never))).toMatchObject({
        code: 'INVALID_ARGUMENT',
        argument: 'cookies',
      });
    },
  );

  it('accepts an empty array', async () => {
    await context.addCookies([]);
    expect(await context.cookies()).toEqual([]);
  });
});

describe('clearCookies()', () => {
  const jar: NewCookie[] = [
    { name: 'id', value: 'v', domain: 'shop.test', path: '/' },
    { name: 'id', value: 'v', domain: '.shop.test', path: '/cart' },
    { name: 'theme', value: 'v', domain: 'other.test', path: '/', secure: true, sameSite: 'None' },
    { name: '', value: 'nameless', domain: 'other.test', path: '/x', httpOnly: true },
  ];

  it.each([
    ['an empty filter', {}, []],
    ['no filter', undefined, []],
    ['a name', { name: 'id' }, ['other.test/', 'other.test/x']],
    ['a part of a name', { name: 'i' }, ['.shop.test/cart', 'other.test/', 'other.test/x', 'shop.test/']],
    ['a name pattern', { name: /^th/ }, ['.shop.test/cart', 'other.test/x', 'shop.test/']],
    ['the empty name', { name: '' }, ['.shop.test/cart', 'other.test/', 'shop.test/']],
    ['a domain', { domain: 'shop.test' }, ['.shop.test/cart', 'other.test/', 'other.test/x']],
    ['a domain with a leading dot', { domain: '.shop.test' }, ['other.test/', 'other.test/x', 'shop.test/']],
    ['a domain pattern', { domain: /shop\.test$/ }, ['other.test/', 'other.test/x']],
    ['a path', { path: '/cart' }, ['other.test/', 'other.test/x', 'shop.test/']],
    ['a path pattern', { path: /^\/./ }, ['other.test/', 'shop.test/']],
    ['a name and a path', { name: 'id', path: '/' }, ['.shop.test/cart', 'other.test/', 'other.test/x']],
    [
      'a name in another domain',
      { name: 'id', domain: 'other.test' },
      ['.shop.test/cart', 'other.test/', 'other.test/x', 'shop.test/'],
    ],
  ])('removes only cookies that match %s (%o)', async (_title, filter, left) => {
    await context.addCookies(jar);
    await context.clearCookies(filter);
    expect((await context.cookies()).map(({ domain, path }) => domain + path).toSorted()).toEqual(left);
  });

  it('matches a global pattern from the start for each cookie', async () => {
    const name = /i/g;
    for (let round = 0; round < 2; round += 1) {
      await context.addCookies([
        { name: 'i', value: 'v', domain: 'a.test', path: '/' },
        { name: 'i', value: 'v', domain: 'b.test', path: '/' },
      ]);
      await context.clearCookies({ name });
      expect(await context.cookies()).toEqual([]);
    }
  });

  it('removes partitioned cookies', async () => {
    await page.sendCDP('Network.setCookie', {
      name: 'apart',
      value: 'v',
      url: 'https://shop.test',
      secure: true,
      sameSite: 'None',
      partitionKey: { topLevelSite: 'https://embedder.test', hasCrossSiteAncestor: true },
    });
    expect(await names()).toEqual(['apart']);
    await context.clearCookies({ name: 'apart' });
    expect(await names()).toEqual([]);
  });

  it('takes effect in open pages immediately', async () => {
    await page.goto(`${test.server.origin}/set`);
    await context.clearCookies({ name: /plain|lax/ });
    expect(await page.evaluate('document.cookie')).toBe('kept=4');
    expect(await sentTo(`${test.server.origin}/echo`)).toBe('strict=2; kept=4');
  });

  it.each([
    ['name', { name: 5 }],
    ['domain', { domain: null }],
    ['url', { url: 'http://a.test' }],
    ['filter', 'name'],
    ['filter', null],
    ['filter', ['name']],
  ])('rejects an invalid %s and removes nothing', async (argument, filter) => {
    await context.addCookies([{ name: 'a', value: 'v', url: test.server.origin }]);
    expect(await failureOf(context.clearCookies(filter as never))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      argument,
    });
    expect(await names()).toEqual(['a']);
  });
});

/** The last test: it leaves no page. */
describe('cookies without an open page', () => {
  it('adds and returns cookies when no page is open', async () => {
    for (const open of context.pages()) await open.close();
    await context.addCookies([{ name: 'a', value: '1', url: test.server.origin }]);
    expect(await context.cookies()).toHaveLength(1);
  });
});
