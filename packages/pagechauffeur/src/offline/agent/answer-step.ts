import type { ModelCall, ModelMessage, ModelRequest, StepAnswer } from '../../model/model-client.ts';
import { grouped, toolNames, ungrouped } from '../../model/tool-groups.ts';
import { PageIndex } from '../page/page-index.ts';
import { Ranker } from '../rank/ranker.ts';
import { misunderstoodClause, type Misunderstood } from './before-start.ts';
import type { Clause } from './clause.ts';
import { endOf } from './end-of-task.ts';
import { planClause } from './plan-clause.ts';
import { type ClauseNote, noteText } from './progress-note.ts';
import { readClause } from './read-clause.ts';
import { callOf, cannot, type Plan, type PlannedCall, type Situation } from './situation.ts';
import { splitClauses } from './split-clauses.ts';
import { type ClausePast, readPast, type TaskHistory } from './task-history.ts';
import { addressOf, type Line } from '../page/line.ts';
import { leadingActionVerb } from '../rank/account.ts';
import { similarity } from '../text/concepts.ts';
import { isStopWord } from '../text/word-classes.ts';
import { stemsOf, wordsOf } from '../text/words.ts';
import { leftOutBy } from './words-ignored.ts';

/** A clause fails after this many failed calls. */
const MAX_FAILURES = 2;

/** Returns the next agent step: tool calls for the current clause, or a call to `done`. */
export function answerStep(request: ModelRequest): StepAnswer {
  const { instruction, messages } = request;
  const clauses = splitClauses(instruction).map(readClause);
  const past = readPast(messages.map(withPlainCalls), clauses);
  const index = new PageIndex(request.page);
  return new Step(request, { clauses, past, index }).answer();
}

const UNTRIED = { pastCalls: [], part: 0, answer: undefined } as const;

/** Plans use one tool per action. If the agent offers grouped tools, the history contains those instead. */
function withPlainCalls({ calls, ...message }: ModelMessage): ModelMessage {
  return { ...message, ...(calls && { calls: calls.map(ungrouped) }) };
}

interface Parts {
  readonly clauses: readonly Clause[];
  readonly past: TaskHistory;
  readonly index: PageIndex;
}

class Step {
  readonly #request: ModelRequest;
  readonly #clauses: readonly Clause[];
  readonly #past: readonly ClausePast[];
  readonly #notes: ClauseNote[] = [];
  readonly #index: PageIndex;
  readonly #ranker: Ranker;
  #at: number;

  constructor(request: ModelRequest, { clauses, past, index }: Parts) {
    this.#request = request;
    this.#clauses = clauses;
    this.#past = [...past.clauses];
    this.#index = index;
    this.#ranker = new Ranker(index);
    this.#at = past.at;
    // Repeat all values read so far in each step, because the start of a long conversation may be dropped.
    for (const [at, { answer }] of past.clauses.slice(0, past.at).entries())
      if (answer !== undefined) this.#notes.push({ at, answer });
  }

  answer(): StepAnswer {
    const isBegun =
      this.#at > 0 || this.#past.some(({ pastCalls, answer }) => pastCalls.length > 0 || answer !== undefined);
    const misunderstood = isBegun
      ? undefined
      : misunderstoodClause(this.#clauses, (clause) => this.#situation(clause, { clause, ...UNTRIED }));
    if (misunderstood) return this.#refuse(misunderstood);
    for (; this.#at < this.#clauses.length; this.#at += 1) {
      const plan = this.#plan();
      if (plan.kind === 'calls') return this.#ask(plan.calls, plan.part);
      if (plan.kind === 'cannot') return this.#end(plan.reason);
      this.#notes.push({ at: this.#at, answer: plan.answer });
    }
    return this.#end(this.#readAgain());
  }

  /**
   * Reads the values that no note contains, because their clauses were replayed. Returns an error message if one is not
   * on the page.
   */
  #readAgain(): string | undefined {
    for (const [at, past] of this.#past.entries()) {
      const isRead =
        past.answer !== undefined || this.#notes.some((note) => note.at === at && note.answer !== undefined);
      if (past.clause.asked.kind !== 'read' || isRead) continue;
      const plan = planClause(this.#situation(past.clause, past));
      if (plan.kind !== 'over') return `the page no longer contains the answer to ${JSON.stringify(past.clause.words)}`;
      this.#notes.push({ at, answer: plan.answer });
    }
    return undefined;
  }

  #plan(): Plan {
    const past = this.#past[this.#at];
    const clause = this.#clauses[this.#at];
    if (!past || !clause) return cannot('there is no such clause');
    const situation = this.#situation(clause, past);
    const onPage = planClause(situation);
    const plan = onPage.kind === 'cannot' ? (planLink(situation) ?? onPage) : onPage;
    const failures = past.pastCalls.filter(({ outcome }) => outcome === 'failed');
    const last = failures.at(-1);
    if (!last || plan.kind !== 'calls')
      return last && last.tool !== 'wait' && plan.kind === 'cannot'
        ? cannot(`${plan.reason}, after an earlier attempt failed: ${onOneLine(last.text)}`)
        : plan;
    const isSame = plan.calls.some(
      ({ tool, input }) => tool === last.tool && JSON.stringify(input) === JSON.stringify(last.input),
    );
    return isSame || failures.length >= MAX_FAILURES ? cannot(onOneLine(last.text)) : plan;
  }

  #situation(clause: Clause, { pastCalls, part }: ClausePast): Situation {
    const { page, variables, tools = [] } = this.#request;
    return {
      page,
      index: this.#index,
      ranker: this.#ranker,
      variables,
      tools: toolNames(tools),
      clause,
      pastCalls,
      part,
      earlier: this.#past.slice(0, this.#at),
      next: this.#clauses[this.#at + 1],
    };
  }

  #ask(calls: readonly PlannedCall[], part: number | undefined): StepAnswer {
    this.#notes.push({ at: this.#at, part });
    const names = new Set(this.#request.tools?.map(({ name }) => name));
    return { text: this.#text(), calls: calls.map((call) => (names.has(call.tool) ? call : grouped(call))) };
  }

  /** Ends the task without any call if a clause is not understood. */
  #refuse({ at, reason }: Misunderstood): StepAnswer {
    this.#at = at;
    return this.#end(reason, true);
  }

  #end(reason: string | undefined, isUntried = false): StepAnswer {
    const current = this.#past[this.#at];
    if (reason !== undefined && current) this.#notes.push({ at: this.#at, part: current.part });
    const past = this.#past.map((clause, at) => ({
      ...clause,
      answer: this.#notes.find((note) => note.at === at)?.answer ?? clause.answer,
    }));
    const ending = endOf(this.#request, { past, at: this.#at, reason, index: this.#index, isUntried });
    const done: Omit<ModelCall, 'id'> = { tool: 'done', input: ending };
    const isIdentifying = this.#request.tools?.some(({ name }) => name === 'done') ?? false;
    return {
      text: [this.#text(), ...(isIdentifying ? [] : [ending.message])].filter(Boolean).join('\n'),
      calls: isIdentifying ? [done] : [],
      ...(reason !== undefined && { isNotUnderstood: true }),
    };
  }

  #text(): string {
    return this.#notes.map((note) => noteText(note, this.#clauses)).join('\n');
  }
}

const SAME_MEANING = 0.9;
const PLACE = /.*\s(?:in|into|to|onto|from)\s+(?<place>.+)$/i;

/**
 * Finds a link to the page on which the clause may be possible: for "return order 7", the link "Your orders". Every
 * word of the link, except stop words and numbers, must be in the object of the clause or in the location of the
 * previous one. Follows a link only before the first call for the clause.
 */
function planLink(situation: Situation): Plan | null {
  const { clause, pastCalls, earlier } = situation;
  if (pastCalls.length > 0 || !NEEDS_PAGE.has(clause.asked.kind) || leftOutBy(clause.words).length > 0) return null;
  const before = PLACE.exec(earlier.at(-1)?.clause.words ?? '')?.groups?.['place'] ?? '';
  const link = linkTo(situation, objectOf(clause.words)) ?? linkTo(situation, before);
  return link ? callOf(situation, 'click', { ref: link.node.ref }, situation.part) : null;
}

/** Drops the verb, and the location or owner after a preposition. */
function objectOf(words: string): string {
  return words.replace(/^\S+/, '').replace(/\s(?:in|into|on|onto|of|from|to|for|with|under|at|by)\s.*$/i, '');
}

const NEEDS_PAGE: ReadonlySet<string> = new Set(['act', 'download', 'read']);

/**
 * Returns the only link whose whole name occurs in these words. Ignores names that start with an action verb, because
 * such links perform an action.
 */
function linkTo({ index, page }: Situation, words: string): Line | null {
  const said = stemsOf(words);
  const isMentioned = (stem: string): boolean => said.some((other) => similarity(other, stem) >= SAME_MEANING);
  const links = index.elements.filter((line) => {
    const name = wordsOf(line.node.name).filter(({ text }) => !isStopWord(text) && !/^\d/.test(text));
    const isNavigationLink =
      line.node.role === 'link' && leadsToOtherPage(line, page.url) && leadingActionVerb(line.node) === undefined;
    // A link whose words are all in the page title probably leads to the current page.
    const isCurrentPage = name.every(({ stem }) => index.titleWords.has(stem));
    return isNavigationLink && name.length > 0 && !isCurrentPage && name.every(({ stem }) => isMentioned(stem));
  });
  const [first] = links;
  return first && links.every((line) => addressOf(line) === addressOf(first)) ? first : null;
}

function leadsToOtherPage(line: Line, currentUrl: string): boolean {
  const address = addressOf(line);
  return address !== undefined && address.replace(/#.*$/, '') !== currentUrl.replace(/#.*$/, '');
}

function onOneLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const isFenced = rest.length > 1 && rest[0] === rest.at(-1);
  return [first, ...(isFenced ? rest.slice(1, -1) : rest)].join(' ').trim();
}
