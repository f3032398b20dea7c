import { expect, it } from 'vitest';
import { lockFaults } from './check-locks.ts';

it('accepts packages for other platforms that are locked beside or above their dependent', () => {
  const packages = {
    '': {},
    'node_modules/tool': { optionalDependencies: { 'tool-mac': '1', 'tool-linux': '1' } },
    'node_modules/tool-mac': {},
    'node_modules/tool/node_modules/tool-linux': {},
    'node_modules/chauffeur': { resolved: 'packages/pagechauffeur' },
  };
  expect(lockFaults({ packages })).toEqual([]);
});

it('reports a package for another platform that is not locked', () => {
  const packages = {
    'node_modules/@a/tool': { optionalDependencies: { 'tool-mac': '1' } },
    'node_modules/b/node_modules/tool-mac': {},
  };
  expect(lockFaults({ packages })).toEqual([
    'node_modules/@a/tool needs tool-mac on some platform, which is not locked',
  ]);
});

it('reports a registry host', () => {
  const packages = { 'node_modules/a': { resolved: 'https://registry.example/a.tgz' } };
  expect(lockFaults({ packages })).toEqual(['node_modules/a names a host: https://registry.example/a.tgz']);
});
