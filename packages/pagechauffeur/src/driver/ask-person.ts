import { DriverInvalidArgumentError, DriverUnsupportedFeatureError } from '../errors.ts';
import type { HandoffAnswer } from '../tools/handoff.ts';
import { checkOneOf, checkOptions, checkString } from '../util/check-argument.ts';
import { type CallOptions, checkLimits, Progress } from '../util/progress.ts';
import { QUESTION_KINDS, type QuestionKind } from '../util/question-kind.ts';
import type { OpenBrowser } from './connect-browser.ts';

/** What a person is asked; the question of an agent is one. */
export interface PersonQuestion extends CallOptions {
  /** What it is about; default `question`. */
  readonly kind?: QuestionKind;
  /** What is needed, in a sentence. */
  readonly question: string;
  /** The page that it is about, for people to see. */
  readonly url?: string;
}

/** Asks the people who look at the session's page, and waits for what they answer. */
export async function askPerson(
  { people }: OpenBrowser,
  asked: PersonQuestion,
  signal: AbortSignal,
): Promise<HandoffAnswer | undefined> {
  const { kind = 'question', question, url = '', timeout = 0, signal: own } = checkQuestion(asked);
  using progress = new Progress({ operation: 'askPerson', timeout, signals: [signal, own] });
  if (!people)
    throw new DriverUnsupportedFeatureError(
      'askPerson needs a browser of a chauffeur platform (env: REMOTE), whose dashboard shows the question. Ask in your own way instead.',
    );
  progress.log('waiting for a person at remoteDebugURL');
  const text = await progress.race(people({ kind, question, url }, progress.signal));
  return text === undefined ? undefined : answerOf(kind, text);
}

/** A code is for the page, not for models to see. */
function answerOf(kind: QuestionKind, text: string): HandoffAnswer {
  if (text === '') return {};
  return kind === 'code' ? { variables: { code: text } } : { text };
}

function checkQuestion(asked: PersonQuestion): PersonQuestion {
  checkOptions(asked, 'question');
  if (asked === undefined)
    throw new DriverInvalidArgumentError('question must be an object with the field question; it is undefined.', {
      argument: 'question',
    });
  const { kind, question, url, timeout, signal } = asked;
  checkLimits({ timeout, signals: [signal] });
  if (kind !== undefined) checkOneOf('kind', kind, QUESTION_KINDS);
  if (url !== undefined) checkString('url', url, { mayBeEmpty: true });
  checkString('question', question);
  return asked;
}
