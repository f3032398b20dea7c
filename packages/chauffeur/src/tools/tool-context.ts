import type { DriverContext } from '../page/context.ts';
import type { Download } from '../page/download.ts';
import type { Page } from '../page/page.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Progress } from '../util/progress.ts';
import type { ActionTarget } from '../page/action/element-action.ts';
import type { VariableTable } from '../verb/variables.ts';
import type { VerbContext } from '../verb/verb-context.ts';

/** An element that a model named by its ref. */
export interface NamedElement {
  readonly target: ActionTarget;
  readonly role: string;
  readonly name: string;
}

/** What tools know of where they run; it is little, so that a command and a server can offer it too. */
export interface ToolContext {
  /** The call of the tool: its deadline and its end. */
  readonly progress: Progress;
  /** The page that is worked on. */
  readonly page: Page;
  /** All pages of the browser. */
  readonly browser: DriverContext;
  /** What verbs work with on this page. */
  readonly verbs: VerbContext;
  readonly variables: VariableTable;
  /** The page as it was shown last; undefined before it was. */
  readonly shown: Snapshot | undefined;
  /** The element with this ref of a page that was shown; undefined when there is none. */
  element(ref: string): NamedElement | undefined;
  /** A selector that finds an element; it is asked of the page. */
  selectorOf(element: NamedElement): Promise<string>;
  /** Shows what is folded away at this ref in the next look at the page. */
  expand(ref: string): void;
  /** Works on another page from now on. */
  usePage(page: Page): void;
  /** The download that was begun last, waited for this many milliseconds at most. */
  lastDownload(timeout: number): Promise<Download>;
  /** Answers the dialogs of the next action so. */
  answerDialogs(answer: DialogAnswer): void;
  /** Asks the person or program that gave the task; undefined when nobody answers. */
  readonly ask?: ((question: HandoffQuestion) => Promise<string>) | undefined;
}

/** How dialogs of the browser are answered. */
export interface DialogAnswer {
  readonly accept: boolean;
  readonly text: string | undefined;
}

/** What an agent needs of a person. */
export interface HandoffQuestion {
  readonly kind: 'question' | 'sign-in' | 'captcha' | 'code' | 'payment';
  readonly question: string;
}
