import { createHash } from 'node:crypto';
import type { CacheKey } from '../cache/cache-key.ts';
import type { VerbCache } from '../cache/verb-cache.ts';
import type { AnswerRules, Checked } from '../model/generate-checked.ts';
import { isRecord } from '../util/is-record.ts';
import type { ShownPage } from '../model/prompt.ts';
import type { PageQuestion } from './page-question.ts';
import type { ExtractCall } from './extract-call.ts';

/**
 * Earlier answers of models to the same question about the same text. A changed page text is another question, so entries never go stale.
 */
export class AnswerMemory {
  readonly #cache: VerbCache;
  readonly #key: CacheKey;

  constructor(cache: VerbCache, key: CacheKey) {
    this.#cache = cache;
    this.#key = key;
  }

  /** The memory for a question. Returns `undefined` if caching is off or the answer depends on an image. */
  static for<T>({ context }: ExtractCall, page: ShownPage, question: PageQuestion<T>): AnswerMemory | undefined {
    const { answerCache } = context;
    if (!answerCache || question.images) return undefined;
    const { instruction, schema, note = '' } = question;
    const text = createHash('sha256').update(`${page.title}\n${page.text}`).digest('hex');
    const scope = { text, schema, note, systemPrompt: context.systemPrompt ?? '' };
    return new AnswerMemory(answerCache, { verb: 'extract', instruction, url: page.url, scope });
  }

  /** The stored answer, checked by the current rules. Returns `undefined` if there is none that passes. */
  async recall<T>(rules: AnswerRules<T>): Promise<{ readonly value: T } | undefined> {
    const known = await this.#cache.read(this.#key, (content) => (isRecord(content) ? content : undefined));
    if (!known || !('answer' in known)) return undefined;
    const checked: Checked<T> = await rules.check(known['answer']);
    return checked.issues ? undefined : { value: checked.value };
  }

  /** Stores an answer unless it contains a variable's value. */
  async keep(answer: unknown): Promise<void> {
    const text = JSON.stringify(answer);
    if (text !== undefined && this.#cache.mask(text) === text) await this.#cache.write(this.#key, { answer });
  }
}
