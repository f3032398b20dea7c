import { readFileSync } from 'node:fs';

/** The users that a process runs as: real, effective, saved, of files. */
export function usersOf(pid: number): readonly string[] {
  const [, users = ''] = /^Uid:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return users.split('\t');
}
