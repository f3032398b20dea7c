import type { SettleReport } from '../injected/contract.ts';
import { type NavigationFacts, navigationRule, type RequestFacts, requestRule } from './request-rules.ts';

export type ReportFacts = Pick<SettleReport, 'delivered' | 'misdirected' | 'lost' | 'quiet' | 'entry' | 'awaitsKeys'>;

/**
 * `sent`: the browser has not acknowledged all of the input. `overtaken`: it acknowledged later input first, so it will
 * never acknowledge this input.
 */
export type InputState = 'sent' | 'acknowledged' | 'overtaken';

/** Evidence about an action after its input was sent. Plain data, so that tests can record and replay it. */
export interface Evidence {
  readonly input: InputState;
  /** True if the probe, a mouse move, was sent to detect lost input. */
  readonly isProbed?: boolean;
  /** True if the action waits for the first report, because it may then have to type the text key by key. */
  readonly needsReport?: boolean;
  /** One report for each `settle` call that got a response. */
  readonly reports: readonly ReportFacts[];
  /** Number of completed `settle` calls, with or without a response. */
  readonly waits: number;
  /** False if the last `settle` call got no response, for example because its document was replaced. */
  readonly isAnswered: boolean;
  /** True if the page sent the first report before the browser acknowledged all input. */
  readonly isFirstEarly?: boolean;
  /** True if a request or navigation was awaited after the last report. */
  readonly isStale?: boolean;
  /** True if a request that settling waits for has ended since the last `settle` call began. */
  readonly hasRequestEnded?: boolean;
  readonly requests: readonly RequestFacts[];
  readonly navigations: readonly NavigationFacts[];
  readonly hasNavigated?: boolean;
  readonly isPageClosed?: boolean;
  readonly isFrameGone?: boolean;
  /** Deadline for settling, in `performance.now()` time. */
  readonly deadline: number;
  readonly isCallOver?: boolean;
}

/** The next step after the input was sent. */
export type ActionState =
  /** Input is pending: wait for an acknowledgement or a page report. */
  | { readonly kind: 'dispatched' }
  /** The page received no event: send a mouse move to find out if the input is lost. */
  | { readonly kind: 'overdue' }
  /** The page ignored the inserted text: type it key by key. */
  | { readonly kind: 'awaits-keys' }
  /** A request or a navigation is pending: wait until it ends. */
  | { readonly kind: 'busy' }
  /** The document is not quiet, or its state is unknown: call `settle` again. */
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'settled'; readonly isQuiet: boolean };

export interface SettleRule {
  readonly name: string;
  readonly reason: string;
  readonly state: ActionState;
  applies(evidence: Evidence, now: number): boolean;
}

/** In order of precedence. */
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
    reason: 'The last report is older than the request or navigation that ended since.',
    state: { kind: 'unsettled' },
    applies: (evidence) => evidence.isStale === true,
  },
  {
    name: 'unanswered',
    reason: 'The document was replaced or did not respond.',
    state: { kind: 'unsettled' },
    applies: (evidence) => !evidence.isAnswered,
  },
  {
    name: 'not-quiet',
    reason: 'The page is still changing, or an event was stopped because it would have hit another element.',
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
 * True if there is one report so far, without a misdirected event. After such an event, a second report would not help.
 */
function isFirst({ reports }: Evidence): boolean {
  return reports.length === 1 && reports[0]?.misdirected === undefined;
}

/** Returns the first rule that applies. `undefined` means that the action is settled. */
export function settleRule(
  evidence: Evidence,
  now: number,
  rules: readonly SettleRule[] = SETTLE_RULES,
): SettleRule | undefined {
  return rules.find((rule) => rule.applies(evidence, now));
}

/** Depends only on its arguments, so that tests can replay recorded evidence. */
export function decide(evidence: Evidence, now: number): ActionState {
  return settleRule(evidence, now)?.state ?? { kind: 'settled', isQuiet: true };
}
