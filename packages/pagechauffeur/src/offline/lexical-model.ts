import type { ActAnswer, ModelClient, ModelRequest, ModelResponse, ModelUsage } from '../model/model-client.ts';
import { answerStep } from './agent/answer-step.ts';
import { splitClauses } from './agent/split-clauses.ts';
import { answerAct } from './answer/answer-act.ts';
import { ASKING, answerObserve } from './answer/answer-observe.ts';
import { answerExtract } from './extract/answer-extract.ts';
import { withoutCourtesy, withoutFinding } from './grammar/first-clause.ts';
import { healingReadings, readInstruction } from './grammar/read-instruction.ts';
import { PageIndex } from './page/page-index.ts';
import { Ranker } from './rank/ranker.ts';

const NO_TOKENS: ModelUsage = { promptTokens: 0, completionTokens: 0, reasoningTokens: 0, cachedInputTokens: 0 };

/**
 * The built-in model `offline/lexical`. It parses instructions with a small grammar and ranks elements by their words.
 * It needs no network and no model weights, and uses no tokens. It rejects instructions that it cannot match to the
 * page.
 */
export class LexicalModel implements ModelClient {
  readonly modelName = 'offline/lexical';
  readonly readsWholePages = true;
  readonly takesImages = false;

  async generate(request: ModelRequest): Promise<ModelResponse> {
    request.signal.throwIfAborted();
    return { usage: NO_TOKENS, ...this.#answer(request) };
  }

  #answer(request: ModelRequest): Pick<ModelResponse, 'output' | 'remark'> {
    const { verb, page } = request;
    if (verb === 'agent') return { output: answerStep(request) };
    const index = new PageIndex(page);
    switch (verb) {
      case 'act':
        return { output: answerOneStep(index, request) };
      case 'observe':
        return observed(index, request);
      case 'extract':
        return { output: answerExtract(index, request) };
    }
  }
}

/** Matches instructions not to do something. A lone "not" may be part of a name. */
const NEGATION = /^(?:do not|don['’]?t|never|avoid|refrain from|without)\b/i;

function onlyDoes(said: string): string {
  return `it says ${JSON.stringify(said)}; offline/lexical only performs actions and cannot prevent one`;
}

/** Runs `act` for one step. Rejects an instruction with several steps. */
function answerOneStep(index: PageIndex, { instruction, intent, variables }: ModelRequest): ActAnswer {
  if (intent?.kind === 'heal') return answerAct(new Ranker(index), healingReadings(intent), instruction);
  const said = NEGATION.exec(withoutCourtesy(instruction))?.[0];
  if (said !== undefined) return { action: null, twoStep: false, reason: onlyDoes(said), candidates: [] };
  const steps = stepsOf(instruction);
  if (steps.length > 1) return { action: null, twoStep: false, reason: severalSteps(steps), candidates: [] };
  return answerAct(new Ranker(index), readInstruction(instruction, variables), instruction);
}

function observed(
  index: PageIndex,
  { instruction, variables }: ModelRequest,
): Pick<ModelResponse, 'output' | 'remark'> {
  const steps = stepsOf(instruction);
  if (steps.length > 1) return { output: { elements: [] }, remark: severalSteps(steps) };
  const plain = instruction.replace(ASKING, '');
  const asked = { instruction, plain };
  const { elements, reason } = answerObserve(new Ranker(index), readInstruction(plain, variables), asked);
  return { output: { elements }, ...(reason !== '' && { remark: reason }) };
}

function stepsOf(instruction: string): readonly string[] {
  return splitClauses(withoutFinding(instruction)).filter((step) => !THANKS.test(step));
}

const THANKS = /^(?:thanks|thank you|please|cheers)\b[^a-z]*$/i;

function severalSteps(steps: readonly string[]): string {
  const named = steps.map((step) => JSON.stringify(step)).join(', ');
  return `it asks for ${steps.length} steps, ${named}; offline/lexical performs one at a time. Use an agent for several.`;
}
