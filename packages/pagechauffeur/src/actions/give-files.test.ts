import { describe, expect, it } from 'vitest';
import { dropObstacle } from './give-files.ts';

const CONTENT = { name: 'mug.png', buffer: new Uint8Array([1]) };

describe('dropObstacle()', () => {
  it('returns `undefined` if the browser can read all paths', () => {
    expect(dropObstacle(['/tmp/mug.png'], { sharesFiles: true })).toBeUndefined();
  });

  it('advises to pass a file if the list is empty', () => {
    expect(dropObstacle([], { sharesFiles: true })).toMatch(/no files were passed\. Pass a file to drop/);
  });

  it('advises to pass paths if one file is passed as contents', () => {
    expect(dropObstacle(['/tmp/mug.png', CONTENT], { sharesFiles: true })).toMatch(/not contents\. Pass file paths/);
  });

  it('advises to use the file input if the browser may run on another machine', () => {
    expect(dropObstacle(['/tmp/mug.png'], { sharesFiles: false })).toMatch(
      /Choose the file input itself, which receives/,
    );
  });
});
