import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DISPATCH_FAILURES, type DispatchEvidence, failureOf } from '../../src/actions/dispatch-failures.ts';
import {
  NAVIGATION_RULES,
  type NavigationFacts,
  navigationRule,
  REQUEST_RULES,
  type RequestFacts,
  requestRule,
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
  const ROWS: readonly (readonly [title: string, rule: string | undefined, request: RequestFacts])[] = [
    ['by a script counts', undefined, FETCH],
    ['for a document counts', undefined, { ...FETCH, type: 'Document', hasLeftDocument: true }],
    ['for a picture does not count', 'kind', { ...FETCH, type: 'Image' }],
    ['of an unknown kind does not count', 'kind', { ...FETCH, type: undefined }],
    ['that is repeated twice after its answer counts', undefined, { ...FETCH, round: 3 }],
    ['that is repeated more often does not count', 'polling', { ...FETCH, round: 4 }],
    ['with a stream of events as its answer does not count', 'stream', { ...FETCH, mimeType: 'text/event-stream' }],
    ['with lines of JSON as its answer does not count', 'stream', { ...FETCH, mimeType: 'application/x-ndjson' }],
    ['with text as its answer counts', undefined, { ...FETCH, mimeType: 'text/plain' }],
    ['that was heard of 1.9 s ago counts', undefined, { ...FETCH, lastActivity: -1900 }],
    ['that was silent for 2 s does not count', 'silent', { ...FETCH, lastActivity: -2000 }],
    ['of a document that is gone does not count', 'document-gone', { ...FETCH, hasLeftDocument: true }],
  ];

  it.each(ROWS)('%s', (_title, rule, request) => {
    expect(requestRule(request, 0)?.name).toBe(rule);
  });

  it.each(REQUEST_RULES)('is judged by the rule $name', (rule) => {
    const others = REQUEST_RULES.filter((other) => other !== rule);
    expect(ROWS.some(([, name, request]) => requestRule(request, 0, others)?.name !== name)).toBe(true);
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
