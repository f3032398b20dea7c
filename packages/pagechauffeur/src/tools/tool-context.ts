import type { DriverContext } from '../page/context.ts';
import type { Page } from '../page/page.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Progress } from '../util/progress.ts';
import type { ActionTarget, NeededRest } from '../page/action/element-action.ts';
import type { VariableTable } from '../verb/variables.ts';
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

/** What is known of one call of a tool. */
export interface ToolCall {
  /** The call's deadline and its end. */
  readonly progress: Progress;
  /** The page that is worked on. */
  readonly page: Page;
  /** The page as it was shown last; undefined before it was. */
  readonly shown: Snapshot | undefined;
  /** The element with this ref of a page that was shown; undefined when there is none. */
  element(ref: string): NamedElement | undefined;
  /** Of a page of which a tool has told some lines: their refs may be used from now on, too. */
  noteShown(snapshot: Snapshot): void;
  /** Shows what is folded away at this ref in the next look at the page. */
  expand(ref: string): void;
  /** Works on another page from now on. */
  usePage(page: Page): void;
  /** Whether this tool can be called, so that it may be recommended. */
  readonly hasTool: (name: string) => boolean;
  /** Runs another tool as a part of this one. It is judged like any call and recorded as a step. */
  runTool(name: 'click' | 'fill', context: ToolContext, input: Readonly<Record<string, unknown>>): Promise<ToolOutcome>;
  /** No input is sent to an element before this is done. */
  readonly inputAfter?: Promise<unknown>;
  /** What of the page has to be at rest after the call, when that is less than all of it. */
  readonly rest?: NeededRest;
}

/** What tools know of where they run; it is little, so that a command and a server can offer it too. */
export interface ToolContext extends ToolCall {
  /** All pages of the browser. */
  readonly browser: DriverContext;
  /** What verbs work with on this page. */
  readonly verbs: VerbContext;
  readonly variables: VariableTable;
  readonly dialogs: DialogAnswers;
  readonly downloads: SeenDownloads;
  /** Why a file may not be read or written; null when the user named it, or it was downloaded in this run. */
  fileIssue(path: string): string | null;
  /** Whether an address stands in the user's own words. */
  namesAddress(address: string): boolean;
  /** Pixels for each CSS pixel in the picture that goes with the page, in which points are named. */
  readonly screenshotScale: number;
  /** Asks whoever gave the task; undefined when nobody answers. */
  readonly ask: Handoff | undefined;
}
