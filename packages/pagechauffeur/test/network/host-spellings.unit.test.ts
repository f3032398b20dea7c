import { describe, expect, it } from 'vitest';
import { DomainPolicy } from '../../src/cdp/network/domain-policy.ts';

function refuses(blocked: string, address: string): boolean {
  return new DomainPolicy({ blockedDomains: [blocked] }).refuses(address);
}

const METADATA = '169.254.169.254';

describe('spellings of a blocked host', () => {
  it.each([
    [METADATA, 'http://169.254.169.254/latest'],
    [METADATA, 'http://169.254.169.254./latest'],
    [METADATA, 'http://2852039166/latest'],
    [METADATA, 'http://0xa9.0xfe.0xa9.0xfe/latest'],
    [METADATA, 'http://[::ffff:169.254.169.254]/latest'],
    [METADATA, 'http://[0:0:0:0:0:ffff:a9fe:a9fe]/latest'],
    [METADATA, 'view-source:http://169.254.169.254/latest'],
    [METADATA, ' \u0001http://169.254.169.254/latest'],
    ['[::ffff:10.0.0.1]', 'http://10.0.0.1/'],
    ['127.0.0.1', 'http://127.8.9.10/'],
    ['127.0.0.1', 'http://0.0.0.0/'],
    ['127.0.0.1', 'http://0/'],
    ['127.0.0.1', 'http://[::]/'],
    ['127.0.0.1', 'http://[::1]:81/'],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]/'],
    ['127.0.0.1', 'http://[::ffff:127.0.0.2]/'],
    ['127.0.0.1', 'http://[::ffff:127.8.9.10]:81/'],
    ['127.0.0.1', 'http://[64:ff9b::127.8.9.10]/'],
    ['[::ffff:127.0.0.2]', 'http://localhost/'],
    [METADATA, 'http://[64:ff9b::169.254.169.254]/latest'],
    ['[64:ff9b::10.0.0.1]', 'http://[::ffff:10.0.0.1]/'],
    [METADATA, 'http://[64:ff9b:1::169.254.169.254]/latest'],
    [METADATA, 'http://[2002:a9fe:a9fe::]/latest'],
    [METADATA, 'http://[2002:a9fe:a9fe:0:5efe::1]/latest'],
    [METADATA, 'http://[::169.254.169.254]/latest'],
    [METADATA, 'http://[::ffff:0:169.254.169.254]/latest'],
    ['[2002:a00:1::1]', 'http://10.0.0.1/'],
    ['127.0.0.1', 'http://[2002:7f00:1::]/'],
    ['127.0.0.1', 'http://[::127.0.0.1]/'],
    ['127.0.0.1', 'ws://localhost/'],
    ['127.0.0.1', 'http://deep.inside.localhost./'],
    ['[::1]', 'http://127.0.0.1/'],
    ['0.0.0.0', 'http://localhost/'],
    ['127.0.0.1:81', 'http://localhost:81/'],
  ])('matches the blocked entry %s with %s', (blocked, address) => {
    expect(refuses(blocked, address)).toBe(true);
  });
});

describe('hosts outside `blockedDomains`', () => {
  it.each([
    [METADATA, 'http://169.254.169.253/'],
    ['127.0.0.1', 'http://128.0.0.1/'],
    ['127.0.0.1', 'http://[::ffff:128.0.0.1]/'],
    ['127.0.0.1', 'http://127.0.0.1.example.com/'],
    ['127.0.0.1', 'http://notlocalhost/'],
    ['127.0.0.1:81', 'http://localhost:82/'],
    ['localhost', 'http://127.0.0.1/'],
    ['10.0.0.1', 'http://[::1]/'],
    [METADATA, 'http://[2002:a9fe:a9fd::]/'],
    [METADATA, 'http://[2001:db8::a9fe:a9fe]/'],
  ])('does not match the blocked entry %s with %s', (blocked, address) => {
    expect(refuses(blocked, address)).toBe(false);
  });
});

it('matches an `allowedDomains` entry only in its written form', () => {
  const policy = new DomainPolicy({ allowedDomains: ['127.0.0.1'] });
  expect(policy.refuses('http://127.0.0.1/')).toBe(false);
  for (const other of ['http://localhost/', 'http://0.0.0.0/', 'view-source:http://localhost/'])
    expect(policy.refuses(other)).toBe(true);
});

it('returns the rules of a domain policy as they were passed', () => {
  expect(new DomainPolicy({ blockedDomains: ['127.0.0.1'] }).rules).toEqual({ blockedDomains: ['127.0.0.1'] });
});
