import { randomUUID } from 'node:crypto';
import { RemoteApiError } from '../errors.ts';
import { errorFacts, errorSentence } from '../util/error-facts.ts';
import { isRecord } from '../util/is-record.ts';
import type { Log } from '../util/log.ts';
import type { QuestionKind } from '../util/question-kind.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { requestPlatform, type PlatformAccess } from './platform-request.ts';

/** A question to the operators of a session. */
export interface SessionQuestion {
  readonly kind: QuestionKind;
  readonly question: string;
  readonly url: string;
}

const LAST_WORD_MS = 5000;
/** The platform's limits. */
const MOST = { question: 2000, url: 4096 };

/** Asks the operators of a session on the platform. */
export class OperatorQuestions {
  readonly #access: PlatformAccess;

  constructor(access: PlatformAccess) {
    this.#access = access;
  }

  /** Resolves with the operator's answer: empty if the task was done by hand, `undefined` if nobody can help. */
  async ask(
    sessionId: string,
    asked: SessionQuestion,
    { signal, log }: { signal: AbortSignal; log: Log },
  ): Promise<string | undefined> {
    // With the same id, a repeated request is the same question, even after a lost connection or server.
    const path = `/v1/sessions/${encodeURIComponent(sessionId)}/questions/${randomUUID()}`;
    const { kind, question, url } = asked;
    const body = { kind, question: question.slice(0, MOST.question), url: url.slice(0, MOST.url) };
    try {
      for (;;) {
        const answer = await requestPlatform(this.#access, { method: 'PUT', path, body, signal });
        const end = readEnd(await answer.json());
        if (end.status !== 'open') return end.text;
      }
    } finally {
      await this.#withdraw(path, log);
    }
  }

  /** Removes a question that nobody waits for any more. */
  async #withdraw(path: string, log: Log): Promise<void> {
    const told = requestPlatform(this.#access, { method: 'DELETE', path }).catch((error: unknown) =>
      log.write('remote', 1, `Cannot withdraw a question: ${errorSentence(errorFacts(error))}`),
    );
    await withTimeout(LAST_WORD_MS, told);
  }
}

function readEnd(answer: unknown): { readonly status: 'open' | 'ended'; readonly text: string | undefined } {
  const { status, text } = isRecord(answer) ? answer : {};
  if (status === 'open') return { status, text: undefined };
  if (status === 'declined') return { status: 'ended', text: undefined };
  if (status === 'answered') return { status: 'ended', text: typeof text === 'string' ? text : '' };
  throw new RemoteApiError('The platform did not respond to a question. Its version may not support questions.');
}
