import { readFileSync } from 'node:fs';

/** User ids of a process: real, effective, saved, file system. */
export function usersOf(pid: number): readonly string[] {
  const [, users = ''] = /^Uid:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return users.split('\t');
}
