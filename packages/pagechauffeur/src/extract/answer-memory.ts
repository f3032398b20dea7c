import { createHash } from 'node:crypto';
import type { CacheKey } from '../cache/cache-key.ts';
import type { VerbCache } from '../cache/verb-cache.ts';
import type { AnswerRules, Checked } from '../model/generate-checked.ts';
import { isRecord } from '../util/is-record.ts';
import type { ShownPage } from '../verb/prompt.ts';
import type { PageQuestion } from './page-question.ts';
import type { ExtractCall } from './extract-call.ts';

/**
 * What models answered earlier to the same question about the same text. A page that says anything else is another
 * question, so what is kept is never out of date.
 */
export class AnswerMemory {
  readonly #cache: VerbCache;
  readonly #key: CacheKey;

  constructor(cache: VerbCache, key: CacheKey) {
    this.#cache = cache;
    this.#key = key;
  }

  /** The memory for a question; undefined when none is wanted, or when the answer depends on a picture. */
  static for<T>({ context }: ExtractCall, page: ShownPage, question: PageQuestion<T>): AnswerMemory | undefined {
    const { answerCache } = context;
    if (!answerCache || question.images) return undefined;
    const { instruction, schema, note = '' } = question;
    const text = createHash('sha256').update(`${page.title}\n${page.text}`).digest('hex');
    const scope = { text, schema, note, systemPrompt: context.systemPrompt ?? '' };
    return new AnswerMemory(answerCache, { verb: 'extract', instruction, url: page.url, scope });
  }

  /** The answer that was given, read by the rules of today; undefined when there is none that they take. */
  async recall<T>(rules: AnswerRules<T>): Promise<{ readonly value: T } | undefined> {
    const known = await this.#cache.read(this.#key, (content) => (isRecord(content) ? content : undefined));
    if (!known || !('answer' in known)) return undefined;
    const checked: Checked<T> = await rules.check(known['answer']);
    return checked.issues ? undefined : { value: checked.value };
  }

  /** Keeps an answer, unless it holds the value of a variable. */
  async keep(answer: unknown): Promise<void> {
    const text = JSON.stringify(answer);
    if (text !== undefined && this.#cache.mask(text) === text) await this.#cache.write(this.#key, { answer });
  }
}
