import type { ModelClient, ModelRequest, ModelResponse, ModelUsage } from '../model-client.ts';
import { answerStep } from './agent/answer-step.ts';
import { answerAct } from './answer/answer-act.ts';
import { ASKING, answerObserve } from './answer/answer-observe.ts';
import { answerExtract } from './extract/answer-extract.ts';
import { readInstruction } from './grammar/read-instruction.ts';
import { PageIndex } from './page/page-index.ts';
import { Ranker } from './rank/ranker.ts';

const NO_TOKENS: ModelUsage = { promptTokens: 0, completionTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 };

/**
 * The built-in model `offline/lexical`: it reads instructions with a small grammar and ranks elements by their words.
 * It needs no network and no weights, spends no tokens, and refuses what it cannot find.
 */
export class LexicalModel implements ModelClient {
  readonly modelName = 'offline/lexical';
  readonly readsWholePages = true;
  readonly takesImages = false;

  async generate(request: ModelRequest): Promise<ModelResponse> {
    request.signal.throwIfAborted();
    return { output: this.#answer(request), usage: NO_TOKENS };
  }

  #answer(request: ModelRequest): unknown {
    const { verb, instruction, page, variables, schema } = request;
    if (verb === 'agent') return answerStep(request);
    const index = new PageIndex(page);
    const ranker = new Ranker(index);
    switch (verb) {
      case 'act':
        return answerAct(ranker, readInstruction(instruction, variables), instruction);
      case 'observe': {
        const asked = instruction.replace(ASKING, '');
        return answerObserve(ranker, readInstruction(asked, variables), asked);
      }
      case 'extract':
        return answerExtract(index, { instruction, schema });
    }
  }
}
