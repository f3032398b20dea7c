import type { AgentTask } from '../../packages/pagechauffeur/test/agent-tasks/agent-task.ts';
import type { SentQuestion } from './measured-model.ts';

/** One task as an agent carried it out. */
export interface TaskRun {
  /** What its model was asked. */
  readonly sent: readonly SentQuestion[];
  /** Questions of the agent itself, without those of its tools. */
  readonly steps: number;
  /** Milliseconds of the run in which no model was at work. */
  readonly waitingMs: number;
  /** What the agent said at the end. */
  readonly message: string;
}

/** Milliseconds that an application is given after its page has drawn itself: neither agent pays for what it still does of its own start. */
export const REST_MS = 1000;

/** A task on a page of an application. */
export interface Assignment {
  readonly task: AgentTask;
  readonly url: string;
  /** A selector of something that is there once the page has drawn itself. */
  readonly ready: string;
}

/** The agent of a library, in a browser of its own. */
export interface AgentRunner extends AsyncDisposable {
  readonly name: string;
  readonly version: string;
  run(assignment: Assignment): Promise<TaskRun>;
}
