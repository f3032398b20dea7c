import { randomUUID } from 'node:crypto';
import { RemoteApiError } from '../errors.ts';
import { errorFacts, errorSentence } from '../util/error-facts.ts';
import { isRecord } from '../util/is-record.ts';
import type { Log } from '../util/log.ts';
import type { QuestionKind } from '../util/question-kind.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { requestPlatform, type PlatformAccess } from './platform-request.ts';

export interface SessionQuestion {
  readonly kind: QuestionKind;
  readonly question: string;
  readonly url: string;
}

const WITHDRAW_TIMEOUT_MS = 5000;
/** The platform's limits, in characters. */
const MAX_LENGTH = { question: 2000, url: 4096 };

export class OperatorQuestions {
  readonly #access: PlatformAccess;

  constructor(access: PlatformAccess) {
    this.#access = access;
  }

  /** Resolves with the operator's answer: `''` if the operator did the task by hand, `undefined` if they declined. */
  async ask(
    sessionId: string,
    request: SessionQuestion,
    { signal, log }: { signal: AbortSignal; log: Log },
  ): Promise<string | undefined> {
    // The id makes retries idempotent, even if another server receives them.
    const path = `/v1/sessions/${encodeURIComponent(sessionId)}/questions/${randomUUID()}`;
    const { kind, question, url } = request;
    const body = { kind, question: question.slice(0, MAX_LENGTH.question), url: url.slice(0, MAX_LENGTH.url) };
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

  /** Removes the question from the platform, after its answer or after an aborted call. */
  async #withdraw(path: string, log: Log): Promise<void> {
    const withdrawal = requestPlatform(this.#access, { method: 'DELETE', path }).catch((error: unknown) =>
      log.write('remote', 1, `Cannot withdraw a question: ${errorSentence(errorFacts(error))}`),
    );
    await withTimeout(WITHDRAW_TIMEOUT_MS, withdrawal);
  }
}

function readEnd(answer: unknown): { readonly status: 'open' | 'ended'; readonly text: string | undefined } {
  const { status, text } = isRecord(answer) ? answer : {};
  if (status === 'open') return { status, text: undefined };
  if (status === 'declined') return { status: 'ended', text: undefined };
  if (status === 'answered') return { status: 'ended', text: typeof text === 'string' ? text : '' };
  throw new RemoteApiError('The platform returned no status for a question. Its version may not support questions.');
}
