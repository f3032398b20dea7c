import type { DriverContext } from '../page/context.ts';
import type { Page } from '../page/page.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Progress } from '../util/progress.ts';
import type { ActionTarget, NeededRest } from '../actions/element-action.ts';
import type { VariableTable } from '../policy/variables.ts';
import type { VerbContext } from '../verb/verb-context.ts';
import type { DialogAnswers } from './dialog-answers.ts';
import type { Handoff } from './handoff.ts';
import type { SeenDownloads } from './seen-downloads.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** An element that a model named by its ref. */
export interface NamedElement {
  readonly target: ActionTarget;
  readonly role: string;
  readonly name: string;
}

/** Context of one tool call. */
export interface ToolCall {
  /** Timeout and signal of the call. */
  readonly progress: Progress;
  /** The current page. */
  readonly page: Page;
  /** The last snapshot shown to the model, or `undefined`. */
  readonly shown: Snapshot | undefined;
  /** The element of a shown ref, or `undefined`. */
  element(ref: string): NamedElement | undefined;
  /** Accepts refs of a snapshot that a tool has shown in part. */
  noteShown(snapshot: Snapshot): void;
  /** Expands the fold at this ref in the next read of the page. */
  expand(ref: string): void;
  /** Switches to another page. */
  usePage(page: Page): void;
  /** True if a tool is available and may be recommended. */
  readonly hasTool: (name: string) => boolean;
  /** Runs another tool as a part of this one. It is checked like any call and recorded as a step. */
  runTool(name: 'click' | 'fill', context: ToolContext, input: Readonly<Record<string, unknown>>): Promise<ToolOutcome>;
  /** Input is not sent before this promise resolves. */
  readonly inputAfter?: Promise<unknown>;
  /** Weaker requirement for a settled page after the call, if any. */
  readonly rest?: NeededRest;
}

/** Access of tools to their host. It is small, so that a command line and a server can provide it too. */
export interface ToolContext extends ToolCall {
  /** All pages of the browser. */
  readonly browser: DriverContext;
  /** Context for verbs on this page. */
  readonly verbs: VerbContext;
  readonly variables: VariableTable;
  readonly dialogs: DialogAnswers;
  readonly downloads: SeenDownloads;
  /** Why a file may not be read or written, or `null` if the user named it or it was downloaded in this run. */
  fileIssue(path: string): string | null;
  /** True if the user's own words contain the whole URL. */
  namesAddress(address: string): boolean;
  /** Screenshot pixels per CSS pixel, for points that the model names. */
  readonly screenshotScale: number;
  /** Asks the person who gave the task. `undefined` if nobody answers. */
  readonly ask: Handoff | undefined;
}
