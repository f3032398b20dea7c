import { DriverInvalidArgumentError, DriverUnsupportedFeatureError } from '../errors.ts';
import type { HandoffAnswer } from '../tools/handoff.ts';
import { checkOneOf, checkOptions, checkString } from '../util/check-argument.ts';
import { type CallOptions, checkLimits, Progress } from '../util/progress.ts';
import { QUESTION_KINDS, type QuestionKind } from '../util/question-kind.ts';
import type { OpenBrowser } from './connect-browser.ts';

/** A question for the operators who watch a remote session. */
export interface PersonQuestion extends CallOptions {
  /**
   * `code` returns the answer as the variable `code`, which models do not see; all others return text. Default:
   * `question`.
   */
  readonly kind?: QuestionKind;
  /** The question in one sentence. */
  readonly question: string;
  /** URL of the page in question. Operators see it. */
  readonly url?: string;
}

/** Waits for an operator's answer. Returns `undefined` if nobody can help. */
export async function askPerson(
  { operators }: OpenBrowser,
  asked: PersonQuestion,
  signal: AbortSignal,
): Promise<HandoffAnswer | undefined> {
  const { kind = 'question', question, url = '', timeout = 0, signal: own } = checkQuestion(asked);
  using progress = new Progress({ operation: 'askPerson', timeout, signals: [signal, own] });
  if (!operators)
    throw new DriverUnsupportedFeatureError(
      'askPerson needs env: REMOTE with the chauffeur platform, whose dashboard shows the question. For other browsers, ask the user yourself.',
    );
  progress.log('waiting for an operator at remoteDebugURL');
  const text = await progress.race(operators({ kind, question, url }, progress.signal));
  return text === undefined ? undefined : answerOf(kind, text);
}

/** A code becomes a variable, so that it reaches only the page and never a model. */
function answerOf(kind: QuestionKind, text: string): HandoffAnswer {
  if (text === '') return {};
  return kind === 'code' ? { variables: { code: text } } : { text };
}

function checkQuestion(asked: PersonQuestion): PersonQuestion {
  checkOptions(asked, 'question');
  if (asked === undefined)
    throw new DriverInvalidArgumentError('question must be an object with the field question. Received undefined.', {
      argument: 'question',
    });
  const { kind, question, url, timeout, signal } = asked;
  checkLimits({ timeout, signals: [signal] });
  if (kind !== undefined) checkOneOf('kind', kind, QUESTION_KINDS);
  if (url !== undefined) checkString('url', url, { mayBeEmpty: true });
  checkString('question', question);
  return asked;
}
