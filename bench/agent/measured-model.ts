import type { LLMClient } from '@browserbasehq/stagehand';

/** A model object of the AI SDK, in the version that both libraries accept. */
export type LanguageModel = ReturnType<NonNullable<LLMClient['getLanguageModel']>>;
export type Question = Parameters<LanguageModel['doGenerate']>[0];
export type Answer = Awaited<ReturnType<LanguageModel['doGenerate']>>['content'];

/** A request as one string: tools and response format first, then the messages in order. */
export interface SentQuestion {
  readonly text: string;
}

/** Returns decisions that were made beforehand. Records all requests and its own time. */
export class MeasuredModel implements LanguageModel {
  readonly specificationVersion = 'v2';
  readonly provider = 'bench';
  readonly modelId = 'bench/decided';
  readonly supportedUrls = {};
  readonly #answer: (question: Question) => Answer;
  #sent: SentQuestion[] = [];
  #ms = 0;

  constructor(answer: (question: Question) => Answer) {
    this.#answer = answer;
  }

  doGenerate(question: Question): ReturnType<LanguageModel['doGenerate']> {
    const start = performance.now();
    this.#sent.push({ text: textOf(question) });
    const content = this.#answer(question);
    this.#ms += performance.now() - start;
    const finishReason = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    return Promise.resolve({ content, finishReason, usage, warnings: [] });
  }

  doStream(): never {
    throw new Error('MeasuredModel does not support streaming.');
  }

  /** Returns and clears the requests so far, and the time that their responses took. */
  takeRecord(): { readonly sent: readonly SentQuestion[]; readonly ms: number } {
    const record = { sent: this.#sent, ms: this.#ms };
    [this.#sent, this.#ms] = [[], 0];
    return record;
  }
}

/** Returns the text of each part of the user and tool messages, oldest first. */
export function shownTexts({ prompt }: Question): readonly string[] {
  return prompt.flatMap((message) =>
    message.role === 'user' || message.role === 'tool' ? message.content.map(partText) : [],
  );
}

function textOf({ tools = [], responseFormat, prompt }: Question): string {
  const told = tools.map((tool) => JSON.stringify('inputSchema' in tool ? withoutType(tool) : tool));
  const shape = responseFormat?.type === 'json' ? [JSON.stringify(responseFormat.schema)] : [];
  const messages = prompt.map(({ content }) =>
    typeof content === 'string' ? content : content.map((part) => partText(part)).join('\n'),
  );
  return [...told, ...shape, ...messages].join('\n');
}

type Part = Exclude<Question['prompt'][number]['content'], string>[number];

/** Returns everything in a part that costs tokens: text, name and input of a call, output of a call. */
function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool-call':
      return `${part.toolName} ${JSON.stringify(part.input)}`;
    case 'tool-result':
      return resultText(part.output);
    case 'file':
      throw new Error('MeasuredModel cannot count the tokens of an image.');
  }
}

function resultText(output: Extract<Part, { type: 'tool-result' }>['output']): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  if (output.type !== 'content') return JSON.stringify(output.value);
  return output.value.map((item) => (item.type === 'text' ? item.text : JSON.stringify(item))).join('\n');
}

function withoutType({
  name,
  description,
  inputSchema,
}: {
  name: string;
  description?: string;
  inputSchema: object;
}): object {
  return { name, description, inputSchema };
}
