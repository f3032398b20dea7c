import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DISPATCH_FAILURES, type DispatchEvidence, failureOf } from '../../src/actions/dispatch-failures.ts';
import {
  countsUntil,
  NAVIGATION_RULES,
  type NavigationFacts,
  navigationRule,
  REQUEST_RULES,
  type RequestFacts,
  requestRule,
  type RequestWait,
} from '../../src/actions/request-rules.ts';
import { decide, type Evidence, SETTLE_RULES, settleRule } from '../../src/actions/settle-rules.ts';

/** A moment of an action in one of the browser tests. Times count from that moment; a missing deadline is far away. */
interface Recorded {
  readonly rule: string;
  readonly evidence: Omit<Evidence, 'deadline'> & { readonly deadline?: number };
}

interface RecordedFailure {
  readonly failure: string | null;
  readonly evidence: DispatchEvidence;
}

const states = read<Recorded>('settle-states.jsonl').map(({ rule, evidence }) => ({
  rule,
  evidence: { deadline: 5000, ...evidence },
}));
const failures: readonly RecordedFailure[] = [
  ...read<RecordedFailure>('dispatch-failures.jsonl'),
  { failure: 'misdirected', evidence: { reports: [{ delivered: false, quiet: false, misdirected: '<div>' }] } },
  { failure: 'unfocused', evidence: { reports: [{ delivered: true, quiet: true, entry: 'unfocused' }] } },
  { failure: 'late', evidence: { reports: [{ delivered: false, quiet: true, entry: 'late' }] } },
  { failure: 'replaced', evidence: { reports: [{ delivered: true, quiet: true, entry: 'replaced' }] } },
];

/** An action that has settled. The rows below differ from it in one fact. */
const QUIET: Evidence = {
  input: 'acknowledged',
  reports: [{ delivered: true, quiet: true }],
  waits: 1,
  isAnswered: true,
  requests: [],
  navigations: [],
  deadline: 5000,
};
const EDGES: readonly { readonly rule: string; readonly evidence: Evidence }[] = [
  { rule: 'quiet', evidence: QUIET },
  { rule: 'call-over', evidence: { ...QUIET, isCallOver: true } },
  { rule: 'timeout', evidence: { ...QUIET, deadline: 0 } },
  { rule: 'stale', evidence: { ...QUIET, deadline: 0, isStale: true } },
  { rule: 'stale', evidence: { ...QUIET, isCallOver: true, isStale: true } },
  { rule: 'stale', evidence: { ...QUIET, isStale: true } },
  { rule: 'page-closed', evidence: { ...QUIET, isPageClosed: true } },
  { rule: 'frame-left', evidence: { ...QUIET, waits: 2, isAnswered: false, isFrameGone: true } },
  { rule: 'unanswered', evidence: { ...QUIET, reports: [], isAnswered: false, isFrameGone: true } },
  { rule: 'no-event', evidence: { ...QUIET, input: 'sent', reports: [{ delivered: false, quiet: true, lost: true }] } },
  {
    rule: 'unacknowledged',
    evidence: { ...QUIET, input: 'sent', isProbed: true, reports: [{ delivered: false, quiet: true, lost: true }] },
  },
  { rule: 'settled-before-input', evidence: { ...QUIET, isFirstEarly: true } },
  { rule: 'event-late', evidence: { ...QUIET, reports: [{ delivered: false, quiet: true }] } },
  { rule: 'not-quiet', evidence: { ...QUIET, reports: [{ delivered: true, quiet: false }] } },
  { rule: 'quiet', evidence: { ...QUIET, reports: [{ delivered: false, quiet: true, misdirected: '<div>' }] } },
  { rule: 'navigating', evidence: { ...QUIET, navigations: [{}] } },
  { rule: 'navigating', evidence: { ...QUIET, navigations: [{ requestedAt: -499 }] } },
  { rule: 'quiet', evidence: { ...QUIET, navigations: [{ requestedAt: -500 }] } },
];

describe('the state of an action', () => {
  it.each([...states, ...EDGES].map((row, index) => ({ index, ...row })))('$index: $rule', ({ rule, evidence }) => {
    expect(settleRule(evidence, 0)?.name ?? 'quiet').toBe(rule);
  });

  it('was recorded in browser tests for every rule', () => {
    const recorded = new Set(states.map(({ rule }) => rule));
    expect(SETTLE_RULES.filter(({ name }) => !recorded.has(name))).toEqual([]);
  });

  it.each(SETTLE_RULES)('depends on the rule $name', (rule) => {
    const others = SETTLE_RULES.filter((other) => other !== rule);
    const isNeeded = [...states, ...EDGES].some(({ evidence }) => {
      const state = settleRule(evidence, 0, others)?.state ?? { kind: 'settled', isQuiet: true };
      return JSON.stringify(state) !== JSON.stringify(decide(evidence, 0));
    });
    expect(isNeeded).toBe(true);
  });
});

describe('why input did not reach its element', () => {
  it.each(failures.map((row, index) => ({ index, ...row })))('$index: $failure', ({ failure, evidence }) => {
    expect(failureOf(evidence)?.kind ?? null).toBe(failure);
  });

  it.each([
    ['came after an early report', { isFirstEarly: true }],
    ['ended the document', { hasNavigated: true }],
  ])('is not that it was lost when it %s', (_title, known) => {
    const reports = [{ delivered: false, quiet: true, lost: true }] as const;
    expect(failureOf({ reports })?.kind).toBe('lost');
    expect(failureOf({ reports, ...known })).toBeUndefined();
  });

  it.each(['replaced', 'unfocused', 'locked', 'late'] as const)(
    'is not that its field was %s when the document ended',
    (entry) => {
      const reports = [{ delivered: true, quiet: true, entry }];
      expect(failureOf({ reports })?.kind).toBe(entry);
      expect(failureOf({ reports, hasNavigated: true })).toBeUndefined();
    },
  );

  const found = { ref: 7, role: 'textbox', name: 'Name', xpath: '/html/body/input', tag: '<input>', isPassword: false };

  it.each([
    ['replaced', { ref: 7 }, { element: { selector: 'xpath=/html/body/input' }, calledAs: found }],
    [
      'replaced',
      { selector: '/html[1]/body[1]/input[1]' },
      { element: { selector: '/html[1]/body[1]/input[1]' }, calledAs: found },
    ],
    ['replaced', { selector: '#name' }, { element: { selector: '#name' }, calledAs: undefined }],
    ['unfocused', { ref: 7 }, undefined],
    ['misdirected', { ref: 7 }, undefined],
    ['lost', { ref: 7 }, undefined],
    ['locked', { ref: 7 }, undefined],
    ['late', { ref: 7 }, undefined],
  ])('leads to another attempt when it is %s, of %j on %j', (kind, element, next) => {
    const failure = DISPATCH_FAILURES.find((row) => row.kind === kind);
    expect(failure?.nextElement?.({ element, calledAs: undefined }, found)).toEqual(next);
  });

  it.each(DISPATCH_FAILURES)('depends on the row $kind', (failure) => {
    const others = DISPATCH_FAILURES.filter((other) => other !== failure);
    expect(failures.some((row) => failureOf(row.evidence, others) !== failureOf(row.evidence))).toBe(true);
  });
});

describe('a request', () => {
  const FETCH: RequestFacts = { type: 'Fetch', round: 1, lastActivity: 0, hasLeftDocument: false };
  const IMAGE: RequestFacts = { ...FETCH, type: 'Image' };
  type Rule = ReturnType<typeof requestRule>;
  const ROWS: readonly (readonly [
    title: string,
    wait: RequestWait,
    rule: NonNullable<Rule>['name'] | undefined,
    RequestFacts,
  ])[] = [
    ['by a script counts', 'action', undefined, FETCH],
    ['by a script counts', 'load', undefined, FETCH],
    ['for a document counts', 'action', undefined, { ...FETCH, type: 'Document', hasLeftDocument: true }],
    ['for an image does not count', 'action', 'kind', IMAGE],
    ['for an image counts', 'load', undefined, IMAGE],
    ['of an unknown kind does not count', 'action', 'kind', { ...FETCH, type: undefined }],
    ['of an unknown kind counts', 'load', undefined, { ...FETCH, type: undefined }],
    ['for a beacon does not count', 'load', 'lasting', { ...FETCH, type: 'Ping' }],
    ['for a beacon does not count', 'action', 'lasting', { ...FETCH, type: 'Ping' }],
    ['that is repeated twice after its response counts', 'action', undefined, { ...FETCH, round: 3 }],
    ['that is repeated more often does not count', 'action', 'polling', { ...FETCH, round: 4 }],
    ['that is repeated more often does not count', 'load', 'polling', { ...FETCH, round: 4 }],
    [
      'with an event stream as response does not count',
      'action',
      'stream',
      { ...FETCH, mimeType: 'text/event-stream' },
    ],
    ['with JSON lines as response does not count', 'load', 'stream', { ...FETCH, mimeType: 'application/x-ndjson' }],
    ['with text as response counts', 'action', undefined, { ...FETCH, mimeType: 'text/plain' }],
    ['with its last event 1.9 s ago counts', 'action', undefined, { ...FETCH, lastActivity: -1900 }],
    ['with its last event 2 s ago does not count', 'action', 'silent', { ...FETCH, lastActivity: -2000 }],
    ['with its last event 2 s ago does not count', 'load', 'silent', { ...FETCH, lastActivity: -2000 }],
    ['by a script that was answered 2.9 s ago counts', 'load', undefined, { ...FETCH, answeredAt: -2900 }],
    ['by a script that was answered 3 s ago does not count', 'load', 'slow-body', { ...FETCH, answeredAt: -3000 }],
    ['by a script that was answered 3 s ago counts', 'action', undefined, { ...FETCH, answeredAt: -3000 }],
    ['for an image that was answered 3 s ago counts', 'load', undefined, { ...IMAGE, answeredAt: -3000 }],
    ['of a document that is gone does not count', 'action', 'document-gone', { ...FETCH, hasLeftDocument: true }],
    ['of a document that is gone does not count', 'load', 'document-gone', { ...FETCH, hasLeftDocument: true }],
  ];

  it.each(ROWS)('%s for the wait "%s"', (_title, wait, rule, request) => {
    expect(requestRule(wait, request, 0)?.name).toBe(rule);
  });

  it.each(REQUEST_RULES.flatMap((rule) => rule.waits.map((wait) => ({ rule, wait, name: rule.name }))))(
    'is judged by the rule $name for the wait "$wait"',
    ({ rule, wait }) => {
      const others = REQUEST_RULES.map((other) =>
        other === rule ? { ...rule, waits: rule.waits.filter((kept) => kept !== wait) } : other,
      );
      expect(ROWS.some(([, of, name, request]) => requestRule(of, request, 0, others)?.name !== name)).toBe(true);
    },
  );

  it.each([
    ['2 s after its last event', 'action', FETCH, 2000],
    ['3 s after its response, if data still arrives', 'load', { ...FETCH, answeredAt: 0, lastActivity: 1500 }, 3000],
    ['at once, if it never counts', 'load', { ...FETCH, type: 'Ping' }, Number.NEGATIVE_INFINITY],
  ] as const)('stops counting %s', (_title, wait, request, end) => {
    expect(countsUntil(wait, request)).toBe(end);
  });
});

describe('a navigation', () => {
  const ROWS: readonly (readonly [title: string, rule: string | undefined, navigation: NavigationFacts])[] = [
    ['of the page counts', undefined, {}],
    ['that the page has just asked for counts', undefined, { requestedAt: -499 }],
    ['that did not begin within 500 ms does not count', 'refused', { requestedAt: -500 }],
    ['of a frame counts', undefined, { frameNavigations: 19 }],
    ['of a frame does not count after 20 others', 'rotating', { frameNavigations: 20 }],
  ];

  it.each(ROWS)('%s', (_title, rule, navigation) => {
    expect(navigationRule(navigation, 0)?.name).toBe(rule);
  });

  it.each(NAVIGATION_RULES)('is judged by the rule $name', (rule) => {
    const others = NAVIGATION_RULES.filter((other) => other !== rule);
    expect(ROWS.some(([, name, navigation]) => navigationRule(navigation, 0, others)?.name !== name)).toBe(true);
  });
});

function read<Row>(name: string): readonly Row[] {
  const lines = readFileSync(new URL(`evidence/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}
