import { DriverInvalidArgumentError, LLMResponseError } from '../errors.ts';
import { isRecord } from './json-schema.ts';
import type { ModelClient, ModelPageView, ModelRequest, ModelResponse, ModelUsage } from './model-client.ts';
import { NO_USAGE } from './model-usage.ts';
import { linesOf, shownRefs } from './page-view.ts';

/** Returns the response to a request: JSON data, or an error to throw. */
export type AnswerFunction = (request: ModelRequest) => unknown;

/** One response in a script: JSON data, an error to throw, or a function that returns either. */
export type ScriptedAnswer = AnswerFunction | object | string | number | boolean | null;

/** Options of a {@link ScriptedModel}. */
export interface ScriptedModelOptions {
  /** `provider/model` in logs and metrics. Default: `scripted/model`. */
  readonly modelName?: string;
  /** Usage to report for each response. Default: 0 tokens. */
  readonly usage?: Partial<ModelUsage>;
  /** Allows responses with refs that are not on the page, to test that the driver rejects them. Default: false. */
  readonly allowUnknownRefs?: boolean;
}

/**
 * A model that returns prepared responses, from a list or a function, and keeps all requests. Needs no network and no
 * API key. Use it to test what the driver does with a response.
 * @example
 * const model = new ScriptedModel([
 *   (request) => ({
 *     action: { ref: refOf(request, { name: 'Add' }), method: 'click', arguments: [], description: 'Add' },
 *     twoStep: false,
 *     reason: '',
 *     candidates: [],
 *   }),
 * ]);
 * const driver = new Driver({ env: 'LOCAL', llmClient: model });
 */
export class ScriptedModel implements ModelClient {
  /** `provider/model`, for logs and metrics. */
  readonly modelName: string;
  /** All requests so far, oldest first. */
  readonly requests: ModelRequest[] = [];
  readonly #script: readonly ScriptedAnswer[] | AnswerFunction;
  readonly #options: ScriptedModelOptions;

  /** `script` is a list with one entry per request, or a function that returns every response. */
  constructor(script: readonly ScriptedAnswer[] | AnswerFunction, options: ScriptedModelOptions = {}) {
    this.#script = script;
    this.#options = options;
    this.modelName = options.modelName ?? 'scripted/model';
  }

  /**
   * Returns the next response in the script.
   * @throws LLMResponseError when the script has no response left, or the response contains a ref that is not on the
   * page.
   */
  async generate(request: ModelRequest): Promise<ModelResponse> {
    request.signal.throwIfAborted();
    this.requests.push(request);
    const answer = this.#answerTo(request);
    const output = await (isAnswerFunction(answer) ? answer(request) : answer);
    if (output instanceof Error) throw output;
    if (!this.#options.allowUnknownRefs) refuseUnknownRefs(output, request);
    return { output, usage: { ...NO_USAGE, ...this.#options.usage } };
  }

  #answerTo(request: ModelRequest): unknown {
    if (typeof this.#script === 'function') return this.#script(request);
    const number = this.requests.length;
    if (number <= this.#script.length) return this.#script[number - 1];
    throw new LLMResponseError(
      `ScriptedModel: the script has ${this.#script.length} responses, and this is request ${number}: ` +
        `${request.verb} "${request.instruction}" on ${request.page.url}.`,
    );
  }
}

function isAnswerFunction(answer: unknown): answer is AnswerFunction {
  return typeof answer === 'function';
}

function refuseUnknownRefs(output: unknown, { page }: ModelRequest): void {
  const shown = shownRefs(page);
  const unknown = [...namedRefs(output)].filter((ref) => !shown.has(ref));
  if (unknown.length === 0) return;
  throw new LLMResponseError(
    `ScriptedModel: the response has refs that are not on the page: ${unknown.join(', ')}. ${describeLines(page)}`,
  );
}

/** Yields the refs in the fields `ref` and `candidates`, at any depth. */
function* namedRefs(output: unknown, field = ''): Generator<string> {
  if (Array.isArray(output)) for (const item of output) yield* namedRefs(item, field);
  else if (isRecord(output)) for (const [name, value] of Object.entries(output)) yield* namedRefs(value, name);
  else if (typeof output === 'string' && REF_FIELDS.has(field) && REF.test(output)) yield output;
}

const REF_FIELDS: ReadonlySet<string> = new Set(['ref', 'candidates']);
const REF = /^(f\d+)*e\d+$/;

/** Role and name of a line on the page. */
export interface LineQuery {
  readonly role?: string;
  /** Accessible name. A string ignores case, and matches a substring if no name equals it. */
  readonly name?: string | RegExp;
}

/**
 * Returns the ref of the first line with this role and name. Throws a `DriverInvalidArgumentError` that lists the lines
 * if there is none.
 */
export function refOf({ page }: Pick<ModelRequest, 'page'>, query: LineQuery): string {
  const lines = [...linesOf(page)].filter(({ ref, role }) => ref !== undefined && role === (query.role ?? role));
  const found =
    lines.find(({ name }) => isNamed(name, query.name, 'whole')) ??
    lines.find(({ name }) => isNamed(name, query.name, 'part'));
  if (found?.ref !== undefined) return found.ref;
  const wanted = [query.role, query.name === undefined ? undefined : String(query.name)].filter(Boolean).join(' ');
  throw new DriverInvalidArgumentError(`refOf: no line on the page matches ${wanted}. ${describeLines(page)}`, {
    argument: 'query',
  });
}

function isNamed(name: string, wanted: string | RegExp | undefined, extent: 'whole' | 'part'): boolean {
  if (wanted === undefined) return true;
  if (wanted instanceof RegExp) return name.search(wanted) >= 0;
  const [has, wants] = [name.toLowerCase(), wanted.toLowerCase()];
  return extent === 'whole' ? has === wants : has.includes(wants);
}

function describeLines(page: ModelPageView): string {
  const lines = [...linesOf(page)].filter(({ ref }) => ref !== undefined);
  if (lines.length === 0) return 'The page has no line with a ref.';
  const first = lines.slice(0, MAX_LISTED_LINES).map(({ ref, role, name }) => `${ref} ${role} "${name}"`);
  const more = lines.length > first.length ? ` and ${lines.length - first.length} more` : '';
  return `Lines of the page: ${first.join(', ')}${more}.`;
}

/** Maximum number of lines in an error message; test pages rarely have more. */
const MAX_LISTED_LINES = 20;
