import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { commandLine, processesWith } from '../../pagechauffeur/test/support/processes.ts';
import { runProgram } from '../../pagechauffeur/test/support/run-program.ts';
import { ask } from './support/use-platform.ts';
import { usersOf } from './support/users-of.ts';

const PROGRAM = new URL('../src/main.ts', import.meta.url);
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

describe.runIf(isRoot)('server that runs as root', () => {
  // Other users cannot enter the folder of tests.
  afterEach(() => {
    chmodSync(tmpdir(), 0o700);
    vi.unstubAllEnvs();
  });

  it('runs browsers as a separate user who cannot read the store', { timeout: 120_000 }, async () => {
    chmodSync(tmpdir(), 0o711);
    const folder = await mkdtemp(join(tmpdir(), 'data-'));
    chmodSync(folder, 0o755);
    const data = join(folder, 'open');
    await mkdir(data, { mode: 0o755 });
    const args = ['--port', '0', '--data', data, '--warm', '0', '--log-level', 'silent'];
    vi.stubEnv('CHAUFFEUR_SECRET_KEY', 'k'.repeat(43));
    await using program = runProgram(PROGRAM, args);
    const url = (await program.lineWith('Platform at ')).replace('Platform at ', '');
    const firstKey = (await program.lineWith('REMOTE_API_KEY=')).replace('REMOTE_API_KEY=', '');
    const { status, body } = await ask({ url, firstKey }, { method: 'POST', path: '/v1/sessions', body: {} });
    expect(status).toBe(201);
    const [browser = 0] = processesWith(`--user-data-dir=${join(tmpdir(), 'chauffeur-profile-')}`);
    const users = usersOf(browser);
    expect(new Set(users).size).toBe(1);
    expect(users).not.toContain('0');
    expect(commandLine(browser).join(' ')).toContain('--headless');
    expect(readFileSync(`/proc/${browser}/environ`, 'utf8')).not.toContain('kkkk');
    const uid = Number(users[0]);
    for (const name of ['platform.sqlite', 'platform.sqlite-wal'])
      expect(spawnSync('/bin/cat', [join(data, name)], { uid, gid: uid, cwd: '/' }).status).toBe(1);
    expect(spawnSync('/bin/cat', [`/proc/${program.pid}/environ`], { uid, gid: uid, cwd: '/' }).status).toBe(1);
    await ask(
      { url, firstKey },
      { method: 'POST', path: `/v1/sessions/${String(body['id'])}`, body: { status: 'REQUEST_RELEASE' } },
    );
    process.kill(program.pid, 'SIGTERM');
    expect(await program.ended).toBe(0);
  });

  it('exits if a separate user is impossible, and starts with `--allow-no-sandbox`', async () => {
    chmodSync(tmpdir(), 0o700);
    const data = await mkdtemp(join(tmpdir(), 'data-'));
    const errors: string[] = [];
    const args = ['--port', '0', '--data', data, '--log-level', 'silent'];
    await using refused = runProgram(PROGRAM, args, { errors });
    expect(await refused.ended).toBe(1);
    await expect.poll(() => errors.join('')).toMatch(/separate user .*cannot access .*--allow-no-sandbox/);
    await using allowed = runProgram(PROGRAM, [...args, '--warm', '0', '--allow-no-sandbox']);
    await allowed.lineWith('Platform at ');
  });
});
