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

describe('settleRule()', () => {
  it.each([...states, ...EDGES].map((row, index) => ({ index, ...row })))(
    'returns $rule for evidence $index',
    ({ rule, evidence }) => {
      expect(settleRule(evidence, 0)?.name ?? 'quiet').toBe(rule);
    },
  );

  it('has evidence recorded in browser tests for every rule', () => {
    const recorded = new Set(states.map(({ rule }) => rule));
    expect(SETTLE_RULES.filter(({ name }) => !recorded.has(name))).toEqual([]);
  });

  it.each(SETTLE_RULES)('makes another decision for some evidence without the rule $name', (rule) => {
    const others = SETTLE_RULES.filter((other) => other !== rule);
    const isNeeded = [...states, ...EDGES].some(({ evidence }) => {
      const state = settleRule(evidence, 0, others)?.state ?? { kind: 'settled', isQuiet: true };
      return JSON.stringify(state) !== JSON.stringify(decide(evidence, 0));
    });
    expect(isNeeded).toBe(true);
  });
});

describe('failureOf()', () => {
  it.each(failures.map((row, index) => ({ index, ...row })))(
    'returns $failure for evidence $index',
    ({ failure, evidence }) => {
      expect(failureOf(evidence)?.kind ?? null).toBe(failure);
    },
  );

  it.each([
    ['the first report was early', { isFirstEarly: true }],
    ['the document navigated', { hasNavigated: true }],
  ])('returns no failure for lost input when %s', (_title, known) => {
    const reports = [{ delivered: false, quiet: true, lost: true }] as const;
    expect(failureOf({ reports })?.kind).toBe('lost');
    expect(failureOf({ reports, ...known })).toBeUndefined();
  });

  it.each(['replaced', 'unfocused', 'locked', 'late'] as const)(
    'returns no failure for the entry "%s" when the document navigated',
    (entry) => {
      const reports = [{ delivered: true, quiet: true, entry }];
      expect(failureOf({ reports })?.kind).toBe(entry);
      expect(failureOf({ reports, hasNavigated: true })).toBeUndefined();
    },
  );

  const found = { ref: 7, role: 'textbox', name: 'Name', xpath: '/html/body/input', tag: '<input>', isPassword: false };

  it.each([
    ['replaced', { ref: 7 }, { element: { selector: 'xpath=/html/body/input' }, requiredRoleAndName: found }],
    [
      'replaced',
      { selector: '/html[1]/body[1]/input[1]' },
      { element: { selector: '/html[1]/body[1]/input[1]' }, requiredRoleAndName: found },
    ],
    ['replaced', { selector: '#name' }, { element: { selector: '#name' }, requiredRoleAndName: undefined }],
    ['unfocused', { ref: 7 }, undefined],
    ['misdirected', { ref: 7 }, undefined],
    ['lost', { ref: 7 }, undefined],
    ['locked', { ref: 7 }, undefined],
    ['late', { ref: 7 }, undefined],
  ])('maps a "%s" failure of %j to the retry target %j', (kind, element, next) => {
    const failure = DISPATCH_FAILURES.find((row) => row.kind === kind);
    expect(failure?.nextElement?.({ element, requiredRoleAndName: undefined }, found)).toEqual(next);
  });

  it.each(DISPATCH_FAILURES)('returns another failure for some evidence without the row $kind', (failure) => {
    const others = DISPATCH_FAILURES.filter((other) => other !== failure);
    expect(failures.some((row) => failureOf(row.evidence, others) !== failureOf(row.evidence))).toBe(true);
  });
});

describe('requestRule() and countsUntil()', () => {
  const FETCH: RequestFacts = { type: 'Fetch', round: 1, lastActivity: 0, hasLeftDocument: false };
  const IMAGE: RequestFacts = { ...FETCH, type: 'Image' };
  type Rule = ReturnType<typeof requestRule>;
  const ROWS: readonly (readonly [
    title: string,
    wait: RequestWait,
    rule: NonNullable<Rule>['name'] | undefined,
    RequestFacts,
  ])[] = [
    ['counts a request by a script', 'action', undefined, FETCH],
    ['counts a request by a script', 'load', undefined, FETCH],
    ['counts a request for a document', 'action', undefined, { ...FETCH, type: 'Document', hasLeftDocument: true }],
    ['ignores a request for an image', 'action', 'kind', IMAGE],
    ['counts a request for an image', 'load', undefined, IMAGE],
    ['ignores a request of an unknown kind', 'action', 'kind', { ...FETCH, type: undefined }],
    ['counts a request of an unknown kind', 'load', undefined, { ...FETCH, type: undefined }],
    ['ignores a beacon', 'load', 'lasting', { ...FETCH, type: 'Ping' }],
    ['ignores a beacon', 'action', 'lasting', { ...FETCH, type: 'Ping' }],
    ['counts a request that repeats twice after its response', 'action', undefined, { ...FETCH, round: 3 }],
    ['ignores a request that repeats three times after its response', 'action', 'polling', { ...FETCH, round: 4 }],
    ['ignores a request that repeats three times after its response', 'load', 'polling', { ...FETCH, round: 4 }],
    [
      'ignores a request with an event stream as response',
      'action',
      'stream',
      { ...FETCH, mimeType: 'text/event-stream' },
    ],
    ['ignores a request with JSON lines as response', 'load', 'stream', { ...FETCH, mimeType: 'application/x-ndjson' }],
    ['counts a request with text as response', 'action', undefined, { ...FETCH, mimeType: 'text/plain' }],
    ['counts a request whose last event was 1.9 s ago', 'action', undefined, { ...FETCH, lastActivity: -1900 }],
    ['ignores a request whose last event was 2 s ago', 'action', 'silent', { ...FETCH, lastActivity: -2000 }],
    ['ignores a request whose last event was 2 s ago', 'load', 'silent', { ...FETCH, lastActivity: -2000 }],
    ['counts a script request answered 2.9 s ago', 'load', undefined, { ...FETCH, answeredAt: -2900 }],
    ['ignores a script request answered 3 s ago', 'load', 'slow-body', { ...FETCH, answeredAt: -3000 }],
    ['counts a script request answered 3 s ago', 'action', undefined, { ...FETCH, answeredAt: -3000 }],
    ['counts an image request answered 3 s ago', 'load', undefined, { ...IMAGE, answeredAt: -3000 }],
    [
      'ignores a request of a document that the frame left',
      'action',
      'document-gone',
      { ...FETCH, hasLeftDocument: true },
    ],
    [
      'ignores a request of a document that the frame left',
      'load',
      'document-gone',
      { ...FETCH, hasLeftDocument: true },
    ],
  ];

  it.each(ROWS)('%s in the wait "%s"', (_title, wait, rule, request) => {
    expect(requestRule(wait, request, 0)?.name).toBe(rule);
  });

  it.each(REQUEST_RULES.flatMap((rule) => rule.waits.map((wait) => ({ rule, wait, name: rule.name }))))(
    'judges some request differently without the rule $name in the wait "$wait"',
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
    ['immediately, if it never counts', 'load', { ...FETCH, type: 'Ping' }, Number.NEGATIVE_INFINITY],
  ] as const)('stops counting a request %s', (_title, wait, request, end) => {
    expect(countsUntil(wait, request)).toBe(end);
  });
});

describe('navigationRule()', () => {
  const ROWS: readonly (readonly [title: string, rule: string | undefined, navigation: NavigationFacts])[] = [
    ['counts a navigation of the page', undefined, {}],
    ['counts a navigation requested 499 ms ago', undefined, { requestedAt: -499 }],
    ['ignores a navigation that did not begin within 500 ms', 'refused', { requestedAt: -500 }],
    ['counts a frame navigation after 19 others', undefined, { frameNavigations: 19 }],
    ['ignores a frame navigation after 20 others', 'rotating', { frameNavigations: 20 }],
  ];

  it.each(ROWS)('%s', (_title, rule, navigation) => {
    expect(navigationRule(navigation, 0)?.name).toBe(rule);
  });

  it.each(NAVIGATION_RULES)('judges some navigation differently without the rule $name', (rule) => {
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
