import type { SettleReport } from '../injected/contract.ts';
import { type NavigationFacts, navigationRule, type RequestFacts, requestRule } from './request-rules.ts';

/** The fields of a report that the rules read. */
export type ReportFacts = Pick<SettleReport, 'delivered' | 'misdirected' | 'lost' | 'quiet' | 'entry' | 'awaitsKeys'>;

/**
 * State of the input in the browser. `sent`: the browser has not acknowledged all of it. `overtaken`: the browser
 * acknowledged later input first, so it will never acknowledge this input.
 */
export type InputState = 'sent' | 'acknowledged' | 'overtaken';

/** Everything known about an action after its input was sent. Plain data, so that it can be recorded. */
export interface Evidence {
  readonly input: InputState;
  /** True if later input was sent to find out whether the browser acknowledges that one first. */
  readonly isProbed?: boolean;
  /** True if the action reads the first report before it sends more input, as for text. */
  readonly needsReport?: boolean;
  /** Reports of the page, one for each wait that got a response. */
  readonly reports: readonly ReportFacts[];
  /** Number of completed waits. */
  readonly waits: number;
  /** True if the last wait got a response. A replaced document sends none. */
  readonly isAnswered: boolean;
  /** True if the first report came before the browser acknowledged all input. */
  readonly isFirstEarly?: boolean;
  /** True if the action waited for a request or a navigation after the last report. */
  readonly isStale?: boolean;
  /** True if a request that settling waits for has ended since the last wait began. */
  readonly hasRequestEnded?: boolean;
  readonly requests: readonly RequestFacts[];
  readonly navigations: readonly NavigationFacts[];
  readonly hasNavigated?: boolean;
  readonly isPageClosed?: boolean;
  /** True if the action's frame was removed. */
  readonly isFrameGone?: boolean;
  /** Deadline for settling, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** True if the whole call has timed out. */
  readonly isCallOver?: boolean;
}

/** The state of an action after its input was sent. It determines the next step. */
export type ActionState =
  /** Wait until the browser acknowledges the input or the page sends a report. */
  | { readonly kind: 'dispatched' }
  /** The page received no event: send other input to find out if the first is lost. */
  | { readonly kind: 'overdue' }
  /** The page ignored the inserted text: type it with keys. */
  | { readonly kind: 'awaits-keys' }
  /** Wait until a request or a navigation ends. */
  | { readonly kind: 'busy' }
  /** Wait once more until the document settles. */
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'settled'; readonly isQuiet: boolean };

/** A rule that maps evidence to the state of an action. */
export interface SettleRule {
  readonly name: string;
  readonly reason: string;
  readonly state: ActionState;
  applies(evidence: Evidence, now: number): boolean;
}

/** All rules in order. The first one that applies determines the state. */
export const SETTLE_RULES: readonly SettleRule[] = [
  {
    name: 'text-ignored',
    reason: 'Some pages handle only key events.',
    state: { kind: 'awaits-keys' },
    applies: (evidence) => evidence.reports.at(-1)?.awaitsKeys === true,
  },
  {
    name: 'no-event',
    reason: 'The browser never acknowledges input for a process that the frame is leaving.',
    state: { kind: 'overdue' },
    applies: (evidence) => evidence.input === 'sent' && !evidence.isProbed && evidence.reports[0]?.lost === true,
  },
  {
    name: 'unacknowledged',
    reason: 'The browser acknowledges input when the page has handled it.',
    state: { kind: 'dispatched' },
    applies: (evidence) => evidence.input === 'sent',
  },
  {
    name: 'first-report-due',
    reason: 'Only the page can report whether it accepted the text.',
    state: { kind: 'dispatched' },
    applies: (evidence) => evidence.needsReport === true && evidence.waits === 0,
  },
  {
    name: 'frame-left',
    reason: 'A removed frame shows no further changes.',
    state: { kind: 'settled', isQuiet: true },
    applies: (evidence) => evidence.waits > 1 && !evidence.isAnswered && evidence.isFrameGone === true,
  },
  {
    name: 'timeout',
    reason: 'A page that never settles must not delay an action beyond the timeout of the caller.',
    state: { kind: 'settled', isQuiet: false },
    applies: (evidence, now) => !evidence.isStale && now >= evidence.deadline,
  },
  {
    name: 'call-over',
    reason: 'The caller has stopped waiting.',
    state: { kind: 'settled', isQuiet: false },
    applies: (evidence) => !evidence.isStale && evidence.isCallOver === true,
  },
  {
    name: 'page-closed',
    reason: 'A closed page no longer changes.',
    state: { kind: 'settled', isQuiet: false },
    applies: (evidence) => evidence.isPageClosed === true,
  },
  {
    name: 'request-in-flight',
    reason: 'The page shows the effect after the response has arrived.',
    state: { kind: 'busy' },
    applies: ({ requests, deadline }, now) =>
      now < deadline && requests.some((request) => requestRule('action', request, now) === undefined),
  },
  {
    name: 'navigating',
    reason: 'The page shows the effect after the new document has loaded.',
    state: { kind: 'busy' },
    applies: ({ navigations, deadline }, now) =>
      now < deadline && navigations.some((navigation) => navigationRule(navigation, now) === undefined),
  },
  {
    name: 'stale',
    reason: 'The last report is older than the awaited event.',
    state: { kind: 'unsettled' },
    applies: (evidence) => evidence.isStale === true,
  },
  {
    name: 'unanswered',
    reason: 'The document was replaced during the wait.',
    state: { kind: 'unsettled' },
    applies: (evidence) => !evidence.isAnswered,
  },
  {
    name: 'not-quiet',
    reason: 'The page is still changing, or it stopped an event that would have hit another element.',
    state: { kind: 'unsettled' },
    applies: (evidence) => evidence.reports.at(-1)?.quiet === false,
  },
  {
    name: 'request-ended',
    reason: 'The page handles a response after the request ends, possibly after the quiet frames.',
    state: { kind: 'unsettled' },
    applies: (evidence) => evidence.hasRequestEnded === true,
  },
  {
    name: 'settled-before-input',
    reason: 'A busy page may be quiet between two clicks or keys.',
    state: { kind: 'unsettled' },
    applies: (evidence) => evidence.isFirstEarly === true && isFirst(evidence),
  },
  {
    name: 'event-late',
    reason: 'On a busy machine, the event may arrive long after the page became quiet.',
    state: { kind: 'unsettled' },
    applies: (evidence) => evidence.reports[0]?.delivered === false && isFirst(evidence),
  },
];

/**
 * True if there is exactly one report, and no misdirected event in it. After a misdirected event, another report would
 * not help.
 */
function isFirst({ reports }: Evidence): boolean {
  return reports.length === 1 && reports[0]?.misdirected === undefined;
}

/**
 * Returns the rule that determines the state of an action. Returns `undefined` if none applies; the action is then
 * settled.
 */
export function settleRule(
  evidence: Evidence,
  now: number,
  rules: readonly SettleRule[] = SETTLE_RULES,
): SettleRule | undefined {
  return rules.find((rule) => rule.applies(evidence, now));
}

/** Returns the state of an action. Depends only on the evidence and the time. */
export function decide(evidence: Evidence, now: number): ActionState {
  return settleRule(evidence, now)?.state ?? { kind: 'settled', isQuiet: true };
}
