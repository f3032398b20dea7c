import type { Variables } from '../../src/index.ts';
import { setTimeout } from 'node:timers/promises';
import type { RunningApp } from '../../../../apps/running-app.ts';
import type { Decision } from './decision.ts';

/** Where a task was carried out, and what its agent said at the end. */
export interface TaskPlace {
  /** The address of the application, with a slash at its end. */
  readonly url: string;
  readonly message: string;
  /** The folder that downloads are saved in. */
  readonly downloads: string;
}

/** A task for an agent, the decisions of a model that does it right, and how to know outside of the page that it was done. */
export interface AgentTask {
  readonly name: string;
  readonly instruction: string;
  readonly variables?: Variables;
  /** The page that it begins on, below the application's address. */
  readonly start?: string;
  /** Said so plainly that the offline model carries it out, too. */
  readonly isPlain?: true;
  /** Also carried out by other agents, to compare them. */
  readonly isCompared?: true;
  /** What is decided in each step; a step ends where something has to be seen first. */
  readonly steps: readonly (readonly Decision[])[];
  /** What the application's own interface, its files or its server tell afterwards. */
  outcome(place: TaskPlace): Promise<unknown>;
  readonly expected: unknown;
}

/** An application and its tasks, which are carried out in their order. */
export interface TaskApplication {
  readonly name: string;
  start(): Promise<RunningApp>;
  /** Each task gets one of its own; else all share one. */
  readonly isPerTask?: boolean;
  /** A selector of something that is there once the application has drawn itself. */
  readonly ready: string;
  readonly tasks: readonly AgentTask[];
  /** Tasks that are said step by step, for the offline model; they need other ways than those of `tasks`. */
  readonly plainTasks?: readonly PlainTask[];
}

/** A task without anybody's decisions. */
export type PlainTask = Omit<AgentTask, 'steps' | 'isPlain' | 'isCompared'>;

/** The JSON at an address. */
export async function readJson<T>(url: string): Promise<T> {
  const response = await fetch(url);
  return (await response.json()) as T;
}

/** How long an application may take to keep what was done in its page. */
const KEPT_WITHIN_MS = 10_000;
const POLL_INTERVAL_MS = 50;

/** What is read once it is as wanted; what is read last when that never happens. */
export async function until<T>(read: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + KEPT_WITHIN_MS;
  for (;;) {
    const value = await read();
    if (isWanted(value) || performance.now() > deadline) return value;
    await setTimeout(POLL_INTERVAL_MS);
  }
}
