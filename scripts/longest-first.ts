import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readDurations, type TestDurations } from './test-durations.ts';

/** Unit tests come last: they are short and fill the gaps. */
const PROJECTS = ['nightly', 'browser', 'unit'];

export interface TestFile {
  /** Relative to the repository root. */
  readonly path: string;
  readonly project: string;
}

/** Runs the slowest test files first, so that all workers end at about the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const durations = readDurations();
    const file = ({ moduleId, project }: TestSpecification): TestFile => ({
      path: relative(root, moduleId),
      project: project.name,
    });
    return files.toSorted((a, b) => compareFiles(durations, file(a), file(b)));
  }
}

/**
 * Files of one project stay together, because a worker serves one project. A file without a recorded duration comes
 * first in its project, because it may be slow.
 */
export function compareFiles(durations: TestDurations, one: TestFile, other: TestFile): number {
  const secondsOf = ({ path }: TestFile): number => durations[path] ?? Number.MAX_VALUE;
  return PROJECTS.indexOf(one.project) - PROJECTS.indexOf(other.project) || secondsOf(other) - secondsOf(one);
}
