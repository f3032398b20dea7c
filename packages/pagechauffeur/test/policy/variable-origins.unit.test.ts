import { describe, expect, it } from 'vitest';
import { bindToOrigins, bindToSites, readOrigins, type VariableBinding } from '../../src/policy/variable-origins.ts';

/** Whether a value goes into a document of this origin, which is the page itself. */
function takes(binding: VariableBinding, origin: string, top = origin): boolean {
  try {
    binding.checkDocument({ origin, top });
    return true;
  } catch {
    return false;
  }
}

describe('`origins` of a variable', () => {
  it.each([
    ['https://shop.example', 'https://shop.example', true],
    ['https://shop.example/', 'https://shop.example', true],
    ['https://SHOP.example:443', 'https://shop.example', true],
    ['https://shop.example', 'https://shop.example:8443', false],
    ['https://shop.example:*', 'https://shop.example:8443', true],
    ['https://shop.example', 'https://www.shop.example', false],
    ['https://*.shop.example', 'https://a.b.shop.example', true],
    ['https://*.shop.example', 'https://shop.example', false],
    ['https://*.shop.example', 'https://myshop.example', false],
    ['https://*.shop.example', 'https://shop.example.evil.example', false],
    ['https://müsli.example', 'https://xn--msli-0ra.example', true],
    ['http://[::1]:8080', 'http://[::1]:8080', true],
  ])('the origin %s allows a document of %s: %s', (origin, document, isOne) => {
    expect(takes(bindToOrigins('password', readOrigins('origins', [origin])), document)).toBe(isOne);
  });

  it.each([
    'https://*.github.io',
    'https://*.co.uk',
    'https://user@shop.example',
    'https://shop.example?x',
    'https://sh*p.example',
    'https://',
  ])('rejects the origin %s', (origin) => {
    expect(() => readOrigins('origins', [origin])).toThrow(/must be a list of origins/);
  });

  it('does not allow a document without an origin', () => {
    expect(takes(bindToOrigins('password', ['https://shop.example']), 'null')).toBe(false);
    expect(takes(bindToSites('password', { instruction: '', startUrl: 'about:blank' }), 'null')).toBe(false);
    expect(takes(bindToSites('password', { instruction: '', startUrl: 'file:///page.html' }), 'file://')).toBe(false);
  });
});

describe('sites of a task', () => {
  const START = 'https://start.example/';

  it.each([
    ['Sign in', 'https://login.start.example', true],
    ['Sign in', 'http://start.example', false],
    ['Sign in', 'https://start.example.evil.example', false],
    ['Sign in at https://shop.co.uk/login.', 'https://id.shop.co.uk', true],
    ['Sign in at https://shop.co.uk/login.', 'https://evil.co.uk', false],
    ['Sign in at https://shop.co.uk/login.', 'https://start.example', false],
    ['Sign in at https://ada.github.io', 'https://eve.github.io', false],
    ['Sign in at http://shop.example', 'https://shop.example', true],
    ['Sign in at https://shop.example', 'http://shop.example', false],
    ['Sign in at www.shop.com, then go on', 'https://shop.com', true],
    ['Sign in at (shop.com)', 'https://shop.com', true],
    ['Sign in at localhost:3000', 'http://localhost:4000', true],
    ['Sign in at 192.168.0.7', 'http://192.168.0.7:8080', true],
    ['Sign in at 192.168.0.7', 'http://192.168.0.8', false],
    ['Sign in as ada@evil.com', 'https://start.example', true],
    ['Sign in as ada@evil.com', 'https://evil.com', false],
    ['Sign in and upload report.md and setup.py', 'https://start.example', true],
    ['Use Node.js and pay 3.50', 'https://start.example', true],
    ['Open https://one.example and https://two.example', 'https://two.example', true],
  ])('instruction "%s" allows %s: %s', (instruction, origin, isOne) => {
    expect(takes(bindToSites('password', { instruction, startUrl: START }), origin)).toBe(isOne);
  });

  it('starts with the first page where the value is typed, not with a frame of another site', () => {
    const binding = bindToSites('password', { instruction: 'Sign in', startUrl: 'about:blank' });
    expect(binding.allowsAddress('https://shop.example')).toBe(false);
    expect(takes(binding, 'https://ads.example', 'https://shop.example')).toBe(false);
    expect(takes(binding, 'https://shop.example', 'https://shop.example')).toBe(true);
    expect(takes(binding, 'https://ads.example', 'https://ads.example')).toBe(false);
    expect(binding.allowsAddress('https://login.shop.example/')).toBe(true);
    expect(binding.allowsAddress('data:text/html,x')).toBe(false);
  });
});
