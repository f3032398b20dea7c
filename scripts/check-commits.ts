/** Fails on commits whose subject is not a Conventional Commit of at most 72 characters. */
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.ts';

/** Commits up to this one follow other conventions. */
const START = 'd3a83972';
const MAX_SUBJECT_CHARACTERS = 72;
const SUBJECT =
  /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w-]+\))?!?: [a-z0-9`"'$.%].*[^.]$/;

/** Returns the violated rule, or `undefined`. */
export function subjectFault(subject: string): string | undefined {
  if (/^(?:Merge|Revert) /.test(subject)) return undefined;
  if (!SUBJECT.test(subject)) return 'must read like "fix(act): wait for the last frame", without a period at the end';
  if (subject.length > MAX_SUBJECT_CHARACTERS)
    return `has ${subject.length} characters, ${MAX_SUBJECT_CHARACTERS} at most`;
  return undefined;
}

if (import.meta.main) {
  const folder = fileURLToPath(new URL('../', import.meta.url));
  const log = (range: string): ReturnType<typeof runCommand> =>
    runCommand('git', ['log', '--format=%h %s', range], folder);
  // A shallow clone may lack the start commit. Then all of its commits are later.
  const hasStart = (await runCommand('git', ['cat-file', '-e', `${START}^{commit}`], folder)).code === 0;
  const { code, output } = await log(hasStart ? `${START}..HEAD` : 'HEAD');
  if (code !== 0) console.log('No commits to check: this is not a Git checkout');
  for (const line of code === 0 ? output.split('\n').filter(Boolean) : []) {
    const fault = subjectFault(line.slice(line.indexOf(' ') + 1));
    if (fault === undefined) continue;
    console.log(`${line}: the subject ${fault}`);
    process.exitCode = 1;
  }
}
