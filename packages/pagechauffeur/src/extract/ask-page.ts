import { UnsupportedModelError } from '../errors.ts';
import type { AnswerRules, Checked } from '../model/generate-checked.ts';
import type { ModelImage } from '../model/model-client.ts';
import { pageView, promptMessages, type ShownPage } from '../model/prompt.ts';
import type { ExtractCall } from './extract-call.ts';
import type { PageQuestion } from './page-question.ts';
import { createHash } from 'node:crypto';
import type { CacheKey } from '../cache/cache-key.ts';
import type { VerbCache } from '../cache/verb-cache.ts';
import { isRecord } from '../util/is-record.ts';

const EXTRACT_RULES = `You extract data from the page, exactly as written there.
- Fill each field from the page; never invent, guess or round. Numbers without currency signs and thousands separators.
- A list contains every entry that the instruction asks for, in the order of the page; an entry that occurs twice on the page occurs twice in the list, any other once.
- For a field that asks for the number of a link, return the number after #.
- Omit what the page does not say, or set it to null where that is allowed.`;

/** Returns the checked answer of the model, or a stored one for the same question and page text. */
export async function askPage<T>(call: ExtractCall, page: ShownPage, question: PageQuestion<T>): Promise<T> {
  const memory = AnswerMemory.for(call, page, question);
  if (!memory) return askModel(call, page, question);
  const known = await call.progress.race(memory.recall(question.rules));
  if (known) return known.value;
  let answer: unknown;
  const check: AnswerRules<T>['check'] = (output, response) => {
    answer = output;
    return question.rules.check(output, response);
  };
  const value = await askModel(call, page, { ...question, rules: { ...question.rules, check } });
  await call.progress.race(memory.keep(answer));
  return value;
}

/** Caches answers by question and a hash of the page text, so an entry never becomes outdated. */
class AnswerMemory {
  readonly #cache: VerbCache;
  readonly #key: CacheKey;

  constructor(cache: VerbCache, key: CacheKey) {
    this.#cache = cache;
    this.#key = key;
  }

  /** Returns `undefined` if answers are not cached, or if the question includes a screenshot. */
  static for<T>({ context }: ExtractCall, page: ShownPage, question: PageQuestion<T>): AnswerMemory | undefined {
    const { answerCache } = context;
    if (!answerCache || question.images) return undefined;
    const { instruction, schema, note = '' } = question;
    const text = createHash('sha256').update(`${page.title}\n${page.text}`).digest('hex');
    const scope = { text, schema, note, systemPrompt: context.systemPrompt ?? '' };
    return new AnswerMemory(answerCache, { verb: 'extract', instruction, url: page.url, scope });
  }

  /** Returns the stored answer unless the current rules reject it. */
  async recall<T>(rules: AnswerRules<T>): Promise<{ readonly value: T } | undefined> {
    const known = await this.#cache.read(this.#key, (content) => (isRecord(content) ? content : undefined));
    if (!known || !('answer' in known)) return undefined;
    const checked: Checked<T> = await rules.check(known['answer']);
    return checked.issues ? undefined : { value: checked.value };
  }

  /** Does not store answers that contain the value of a variable. */
  async keep(answer: unknown): Promise<void> {
    const text = JSON.stringify(answer);
    if (text !== undefined && this.#cache.mask(text) === text) await this.#cache.write(this.#key, { answer });
  }
}

function askModel<T>(
  { progress, context, options }: ExtractCall,
  page: ShownPage,
  { instruction, schema, rules, note, images }: PageQuestion<T>,
): Promise<T> {
  const { systemPrompt, boundary } = context;
  const messages = promptMessages({
    rules: EXTRACT_RULES,
    systemPrompt,
    snapshot: page,
    boundary,
    task: `Instruction: ${instruction}${note ? `\n\n${note}` : ''}`,
    variables: [],
    ...(images ? { images } : {}),
  });
  const request = {
    verb: 'extract',
    instruction,
    page: pageView(page),
    variables: [],
    messages,
    schema,
    schemaName: 'extract_answer',
  } as const;
  return context.modelService.ask(progress, request, { model: options.model, rules, restoresValues: true });
}

/**
 * Takes a screenshot of the viewport if `screenshot` is set.
 * @throws UnsupportedModelError if the model does not accept images.
 */
export async function viewportPicture({
  progress,
  context,
  options,
}: ExtractCall): Promise<readonly ModelImage[] | undefined> {
  if (!options.screenshot) return undefined;
  const client = await context.modelService.clientOf(progress, options.model);
  if (client?.takesImages === false)
    throw new UnsupportedModelError(
      `extract: ${client.modelName} does not accept images. Omit \`screenshot\`, or use another model.`,
      { model: client.modelName },
    );
  const data = await context.page.screenshot({ timeout: progress.remaining, signal: progress.signal });
  return [{ data, mediaType: 'image/png' }];
}
