import { randomUUID } from 'node:crypto';
import { RemoteApiError } from '../errors.ts';
import { errorFacts, errorSentence } from '../util/error-facts.ts';
import { isRecord } from '../util/is-record.ts';
import type { Log } from '../util/log.ts';
import type { QuestionKind } from '../util/question-kind.ts';
import { withTimeout } from '../util/with-timeout.ts';
import { askPlatform, type PlatformAccess } from './ask-platform.ts';

/** What is asked of the people who look at a session. */
export interface SessionQuestion {
  readonly kind: QuestionKind;
  readonly question: string;
  readonly url: string;
}

const LAST_WORD_MS = 5000;
/** What the platform takes. */
const MOST = { question: 2000, url: 4096 };

/** Asks the people of a session on the platform. */
export class PersonQuestions {
  readonly #access: PlatformAccess;

  constructor(access: PlatformAccess) {
    this.#access = access;
  }

  /** What a person answered, which is empty where something was done by hand; undefined when nobody can help. */
  async ask(
    sessionId: string,
    asked: SessionQuestion,
    { signal, log }: { signal: AbortSignal; log: Log },
  ): Promise<string | undefined> {
    // Asked again with the same name it is the same question, whatever became of the connection and the server.
    const path = `/v1/sessions/${encodeURIComponent(sessionId)}/questions/${randomUUID()}`;
    const { kind, question, url } = asked;
    const body = { kind, question: question.slice(0, MOST.question), url: url.slice(0, MOST.url) };
    try {
      for (;;) {
        const answer = await askPlatform(this.#access, { method: 'PUT', path, body, signal });
        const end = readEnd(await answer.json());
        if (end.status !== 'open') return end.text;
      }
    } finally {
      await this.#withdraw(path, log);
    }
  }

  /** Nobody is to see to what nobody waits for any more. */
  async #withdraw(path: string, log: Log): Promise<void> {
    const told = askPlatform(this.#access, { method: 'DELETE', path }).catch((error: unknown) =>
      log.write('remote', 1, `A question could not be taken back: ${errorSentence(errorFacts(error))}`),
    );
    await withTimeout(LAST_WORD_MS, told);
  }
}

function readEnd(answer: unknown): { readonly status: 'open' | 'ended'; readonly text: string | undefined } {
  const { status, text } = isRecord(answer) ? answer : {};
  if (status === 'open') return { status, text: undefined };
  if (status === 'declined') return { status: 'ended', text: undefined };
  if (status === 'answered') return { status: 'ended', text: typeof text === 'string' ? text : '' };
  throw new RemoteApiError('The platform gave no answer to a question. Is it of a version that knows questions?');
}
