import type { DriverContext } from '../page/context.ts';
import type { Page } from '../page/page.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Progress } from '../util/progress.ts';
import type { ActionTarget, RequiredSettle } from '../actions/element-action.ts';
import type { VariableTable } from '../policy/variables.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { DialogAnswers } from './dialog-answers.ts';
import type { Handoff } from './handoff.ts';
import type { SeenDownloads } from './seen-downloads.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** An element that a model referred to, with its role and name in the snapshot. */
export interface NamedElement {
  readonly target: ActionTarget;
  readonly role: string;
  readonly name: string;
}

/** The part of a tool's context that differs between calls. */
export interface ToolCall {
  /** Timeout and abort signal of the call. */
  readonly progress: Progress;
  readonly page: Page;
  /** The last snapshot that the model received. */
  readonly shown: Snapshot | undefined;
  /** Resolves a ref that the model received. */
  element(ref: string): NamedElement | undefined;
  /** Makes the refs of a snapshot valid after the tool has quoted lines from it. */
  noteShown(snapshot: Snapshot): void;
  /** Makes the next read of the page expand the fold that starts at this ref. */
  expand(ref: string): void;
  usePage(page: Page): void;
  /** True if the model can call the tool, so that a message may recommend it. */
  readonly hasTool: (name: string) => boolean;
  /** Runs another tool within this one. The call can be refused and is recorded as a step. */
  runTool(name: 'click' | 'fill', context: ToolContext, input: Readonly<Record<string, unknown>>): Promise<ToolOutcome>;
  /** Resolves when input may be sent. */
  readonly inputAfter?: Promise<unknown>;
  /** How far the page must settle after the call. Default: fully. */
  readonly requiredSettle?: RequiredSettle;
}

/** Everything that a tool can access. Agents, the command line and the MCP server provide it. */
export interface ToolContext extends ToolCall {
  readonly browser: DriverContext;
  readonly verbs: VerbContext;
  readonly variables: VariableTable;
  readonly dialogs: DialogAnswers;
  readonly downloads: SeenDownloads;
  /** Returns why a file must not be read or written. Returns `null` if the user named it or this run downloaded it. */
  fileIssue(path: string): string | null;
  /** True if the instruction contains exactly this URL. */
  namesAddress(address: string): boolean;
  /** Screenshot pixels per CSS pixel, to convert coordinates from the model. */
  readonly screenshotScale: number;
  /** Asks a person. `undefined` if no one can answer. */
  readonly ask: Handoff | undefined;
}
