import type { AgentTask } from '../../packages/pagechauffeur/test/agent-tasks/agent-task.ts';
import type { SentQuestion } from './measured-model.ts';

export interface TaskRun {
  /** All model requests of the run. */
  readonly sent: readonly SentQuestion[];
  /** Requests from the agent loop, without those from its tools. */
  readonly steps: number;
  /** Duration of the run without the time that the model took, in ms. */
  readonly waitingMs: number;
  /** Final message of the agent. */
  readonly message: string;
}

/**
 * Pause between the first render of an application and the run, in ms, so that the rest of the startup does not count.
 */
export const REST_MS = 1000;

export interface Assignment {
  readonly task: AgentTask;
  readonly url: string;
  /** Selector that matches once the application has rendered. */
  readonly ready: string;
}

/** The agent of one library, attached to a browser that it does not share. */
export interface AgentRunner extends AsyncDisposable {
  readonly name: string;
  readonly version: string;
  run(assignment: Assignment): Promise<TaskRun>;
}
