import { describe, expect, it } from 'vitest';
import { subjectFault } from './check-commits.ts';

describe('subjectFault', () => {
  it.each(['fix(act): wait for the last frame', 'feat!: drop Node 20', 'docs: explain effects', 'Merge branch "main"'])(
    'accepts "%s"',
    (subject) => expect(subjectFault(subject)).toBeUndefined(),
  );

  it.each([
    'Aborted runs click no more',
    'fix: Wait for the last frame',
    'fix(act) wait for the last frame',
    'fix(act): wait for the last frame.',
    'change(act): wait for the last frame',
  ])('rejects the form of "%s"', (subject) => expect(subjectFault(subject)).toContain('must read like'));

  it('rejects subjects of more than 72 characters', () => {
    expect(subjectFault(`fix: ${'a'.repeat(67)}`)).toBeUndefined();
    expect(subjectFault(`fix: ${'a'.repeat(68)}`)).toBe('has 73 characters, 72 at most');
  });
});
