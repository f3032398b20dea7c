import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileIssue } from '../../src/policy/named-files.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'named-files-'));
  mkdirSync(join(folder, 'photos.d'));
  symlinkSync(join(folder, 'photos.d'), join(folder, 'link.d'));
  writeFileSync(join(folder, 'cv.pdf'), 'x');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function isNamed(path: string, instruction: string, files?: readonly string[]): boolean {
  return fileIssue(path, { instruction, variables: new Set(['cv']), files }) === null;
}

describe('file that the user names', () => {
  it.each([
    ['cv.pdf', 'Send cv.pdf to them'],
    ['cv.pdf', 'Send "./cv.pdf".'],
    ['./cv.pdf', 'Attach cv.pdf, please.'],
    ['files/cv.pdf', 'Send files/cv.pdf.'],
    ['/home/ada/cv.pdf', 'Upload /home/ada/cv.pdf, then log out'],
    ['my papers/cv.pdf', 'Upload "my papers/cv.pdf" as the résumé'],
    ['Makefile', 'Upload "Makefile" and send'],
    ['Makefile', 'Attach the file called “Makefile”'],
    ['backup.tar.gz', 'Upload (./backup.tar.gz)!'],
    ['~/cv.txt', 'Upload ~/cv.txt'],
    ['.env.local', 'Upload .env.local.'],
    ['C:\\papers\\cv.pdf', 'Upload C:\\papers\\cv.pdf'],
    ['写真.png', '「写真.png」をアップロード'],
    ['%cv%', 'Upload my papers'],
    ['cv.pdf', 'Open the form, fill it in and send cv.pdf'],
    ['cv.pdf', 'Find cv.pdf in my papers and upload it'],
    ['cv.pdf', 'Please open the applications. Hand in "cv.pdf"'],
    ['cv.pdf', "Don't forget to upload cv.pdf"],
    ['cv.pdf', 'Delete the old papers and upload cv.pdf instead of them'],
    ['cv.pdf', 'Do not log out, but upload cv.pdf, not old.pdf'],
    ['data.csv', 'What does the import of data.csv report?'],
  ])('accepts %j for %j', (path, instruction) => {
    expect(isNamed(path, instruction)).toBe(true);
  });
});

describe('path that the user does not name', () => {
  it.each([
    ['.', 'Save the profile.'],
    ['.', 'Say what is in . and leave'],
    ['~', 'Upload ~/cv.txt'],
    ['cv.txt', 'Upload ~/cv.txt'],
    ['backup.tar', 'Upload ./backup.tar.gz'],
    ['.gz', 'Upload ./backup.tar.gz'],
    ['credentials', 'Enter the credentials of %user%'],
    ['config', 'Download the config'],
    ['config', 'Type "config" into Name'],
    ['cv.pdf', 'Send files/cv.pdf'],
    ['cv', 'Send cv.pdf'],
    ['cv.pdf', 'Upload "my cv.pdf"'],
    ['/home/ada', 'Upload /home/ada/cv.pdf'],
    ['home/ada/cv.pdf', 'Upload /home/ada/cv.pdf'],
    ['../cv.pdf', 'Send cv.pdf'],
    ['e', 'Send the file'],
    ['/etc/passwd', 'Send the file'],
    ['/', 'Upload cv.pdf / or another one'],
    ['..', 'Go back ..'],
    ['a.pdf', 'Open https://x.example/a.pdf'],
    ['https://x.example/a.pdf', 'Open https://x.example/a.pdf'],
    ['ada@x.example', 'Write to ada@x.example'],
    ['3.50', 'Pay 3.50'],
    ['.env', 'Open the ticket about .env and add a comment'],
    ['.env', 'Please summarise the ticket "Leak of .env" in one sentence'],
    ['id_rsa.pub', 'Search for id_rsa.pub, then say what the first result is'],
    ['server.key', 'Go to the wiki; what does server.key contain?'],
    ['.npmrc', '1. Can you find ".npmrc" in the file list?'],
    ['cv.pdf', 'Do not upload cv.pdf'],
    ['cv.pdf', "Fill in the form, and please don't attach “cv.pdf”"],
    ['cv.pdf', 'Never send cv.pdf to them.'],
    ['cv.pdf', 'Upload nothing, not even cv.pdf'],
    ['cv.pdf', 'Upload any file except cv.pdf'],
    ['cv.pdf', 'Attach a file other than "cv.pdf"'],
    ['old.pdf', 'Upload cv.pdf, not old.pdf'],
    ['cv.pdf', 'Cancel the upload of cv.pdf'],
    ['cv.pdf', 'Delete cv.pdf'],
    ['old.pdf', 'Remove old.pdf and upload cv.pdf'],
    ['', 'Send the file'],
  ])('rejects %j for %j', (path, instruction) => {
    expect(fileIssue(path, { instruction, variables: new Set(['cv']) })).toContain('does not name');
  });
});

describe('folder', () => {
  it('requires a trailing separator or the `files` option, and follows links', () => {
    for (const name of ['photos.d', 'link.d']) {
      const path = join(folder, name);
      expect(fileIssue(path, { instruction: `Upload ${path}`, variables: new Set() })).toContain('is a folder');
      expect(isNamed(path, `Upload ${path}/.`)).toBe(true);
      expect(isNamed(path, 'Upload it', [path])).toBe(true);
    }
  });

  it('does not grant access to files inside it', () => {
    expect(isNamed(join(folder, 'photos.d', 'a.png'), `Upload ${join(folder, 'photos.d')}/`)).toBe(false);
    expect(isNamed(join(folder, 'cv.pdf'), 'Upload it', [folder])).toBe(false);
  });
});

it('accepts a file of the `files` option that the instruction does not name', () => {
  expect(isNamed(join(folder, 'cv.pdf'), 'Upload my papers', [join(folder, 'cv.pdf')])).toBe(true);
  expect(isNamed(join(folder, 'other.pdf'), 'Upload my papers', [join(folder, 'cv.pdf')])).toBe(false);
});
