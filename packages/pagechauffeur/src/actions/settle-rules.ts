import type { SettleReport } from '../injected/contract.ts';
import { type NavigationFacts, navigationRule, type RequestFacts, requestRule } from './request-rules.ts';

/** What the rules read of a report of the page. */
export type ReportFacts = Pick<SettleReport, 'delivered' | 'misdirected' | 'lost' | 'quiet' | 'entry' | 'awaitsKeys'>;

/**
 * What the browser said of the input: it has not acknowledged all of it; it has; or it acknowledged later input first, so that it will
 * never acknowledge this.
 */
export type InputState = 'sent' | 'acknowledged' | 'overtaken';

/** What is known of an action whose input was sent, at one moment. It is plain data, so that it can be recorded. */
export interface Evidence {
  readonly input: InputState;
  /** True if input was sent after the action's own, to see which of them the browser acknowledges first. */
  readonly isProbed?: boolean;
  /** True if the page's first report says whether more input is needed, as for text. */
  readonly needsReport?: boolean;
  /** What the page reported, one for each wait that had an answer. */
  readonly reports: readonly ReportFacts[];
  /** How many waits are over. */
  readonly waits: number;
  /** True if the last wait had an answer: its document was not replaced meanwhile. */
  readonly isAnswered: boolean;
  /** True if the first wait was over before the browser acknowledged all input. */
  readonly isFirstEarly?: boolean;
  /** True if requests or navigations were waited for since the last report. */
  readonly isStale?: boolean;
  /** True if a request that counts has ended since the last wait began. */
  readonly hasRequestEnded?: boolean;
  readonly requests: readonly RequestFacts[];
  readonly navigations: readonly NavigationFacts[];
  readonly hasNavigated?: boolean;
  readonly isPageClosed?: boolean;
  /** True if the frame that was acted in left the page. */
  readonly isFrameGone?: boolean;
  /** When the time to settle is up. */
  readonly deadline: number;
  /** True if the time of the whole call is up. */
  readonly isCallOver?: boolean;
}

/** The state of an action whose input was sent, and so what is to be done next. */
export type ActionState =
  /** Wait until the browser acknowledges the input or the page reports. */
  | { readonly kind: 'dispatched' }
  /** The page saw no event: send other input, to see whether the browser still answers for this. */
  | { readonly kind: 'overdue' }
  /** The page took no notice of inserted text: type it. */
  | { readonly kind: 'awaits-keys' }
  /** Wait until a request or a navigation ends. */
  | { readonly kind: 'busy' }
  /** Ask the document again. */
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'settled'; readonly isQuiet: boolean };

/** One transition: where an action is when a piece of evidence is there. */
export interface SettleRule {
  readonly name: string;
  readonly reason: string;
  readonly state: ActionState;
  applies(evidence: Evidence, now: number): boolean;
}

/** The first rule that applies decides. */
export const SETTLE_RULES: readonly SettleRule[] = [
  {
    name: 'text-ignored',
    reason: 'Some pages only notice keys.',
    state: { kind: 'awaits-keys' },
    applies: (evidence) => evidence.reports.at(-1)?.awaitsKeys === true,
  },
  {
    name: 'no-event',
    reason: 'Input may go to a process that its frame is leaving; the browser never acknowledges it then.',
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
    reason: 'Only the page knows whether it took the text.',
    state: { kind: 'dispatched' },
    applies: (evidence) => evidence.needsReport === true && evidence.waits === 0,
  },
  {
    name: 'frame-left',
    reason: 'Nothing more is to be seen in a frame that left its page.',
    state: { kind: 'settled', isQuiet: true },
    applies: (evidence) => evidence.waits > 1 && !evidence.isAnswered && evidence.isFrameGone === true,
  },
  {
    name: 'timeout',
    reason: 'A page that never settles must not hold an action up for longer than its caller said.',
    state: { kind: 'settled', isQuiet: false },
    applies: (evidence, now) => !evidence.isStale && now >= evidence.deadline,
  },
  {
    name: 'call-over',
    reason: 'Nobody waits any longer.',
    state: { kind: 'settled', isQuiet: false },
    applies: (evidence) => !evidence.isStale && evidence.isCallOver === true,
  },
  {
    name: 'page-closed',
    reason: 'A closed page shows nothing more.',
    state: { kind: 'settled', isQuiet: false },
    applies: (evidence) => evidence.isPageClosed === true,
  },
  {
    name: 'request-in-flight',
    reason: 'The page shows the effect when the answer is there.',
    state: { kind: 'busy' },
    applies: ({ requests, deadline }, now) =>
      now < deadline && requests.some((request) => requestRule(request, now) === undefined),
  },
  {
    name: 'navigating',
    reason: 'The page shows the effect when the new document is there.',
    state: { kind: 'busy' },
    applies: ({ navigations, deadline }, now) =>
      now < deadline && navigations.some((navigation) => navigationRule(navigation, now) === undefined),
  },
  {
    name: 'stale',
    reason: 'The last report is older than what was waited for.',
    state: { kind: 'unsettled' },
    applies: (evidence) => evidence.isStale === true,
  },
  {
    name: 'unanswered',
    reason: 'The document was replaced while it was waited for.',
    state: { kind: 'unsettled' },
    applies: (evidence) => !evidence.isAnswered,
  },
  {
    name: 'not-quiet',
    reason: 'The page still changed, or stopped an event that would have hit something else.',
    state: { kind: 'unsettled' },
    applies: (evidence) => evidence.reports.at(-1)?.quiet === false,
  },
  {
    name: 'request-ended',
    reason: 'The page handles an answer after the request has ended, perhaps after the frames that were quiet.',
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
    reason: 'On a busy machine the event may come after the page was quiet for long.',
    state: { kind: 'unsettled' },
    applies: (evidence) => evidence.reports[0]?.delivered === false && isFirst(evidence),
  },
];

/** True if the page has reported once, and not that it stopped a misdirected event: that is no reason to look again. */
function isFirst({ reports }: Evidence): boolean {
  return reports.length === 1 && reports[0]?.misdirected === undefined;
}

/** The rule that decides in which state an action is; undefined if none keeps it from being settled. */
export function settleRule(
  evidence: Evidence,
  now: number,
  rules: readonly SettleRule[] = SETTLE_RULES,
): SettleRule | undefined {
  return rules.find((rule) => rule.applies(evidence, now));
}

/** In which state an action is. It depends on nothing but the evidence. */
export function decide(evidence: Evidence, now: number): ActionState {
  return settleRule(evidence, now)?.state ?? { kind: 'settled', isQuiet: true };
}
