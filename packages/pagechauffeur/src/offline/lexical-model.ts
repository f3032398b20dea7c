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
 * The built-in model `offline/lexical`. Parses instructions with a small grammar and compares their words with the
 * page. Needs no network, no model weights and no tokens. Rejects instructions that it cannot match.
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

/** Instructions to not do something. A "not" elsewhere may be part of a name. */
const NEGATION = /^(?:do not|don['’]?t|never|avoid|refrain from|without)\b/i;

function onlyDoes(phrase: string): string {
  return `the instruction says ${JSON.stringify(phrase)}, and offline/lexical can only perform actions.`;
}

/** Rejects instructions with several steps, because a call performs one action. */
function answerOneStep(index: PageIndex, { instruction, intent, variables }: ModelRequest): ActAnswer {
  if (intent?.kind === 'heal') return answerAct(new Ranker(index), healingReadings(intent));
  const phrase = NEGATION.exec(withoutCourtesy(instruction))?.[0];
  if (phrase !== undefined) return { action: null, twoStep: false, reason: onlyDoes(phrase), candidates: [] };
  const steps = stepsOf(instruction);
  if (steps.length > 1) return { action: null, twoStep: false, reason: severalSteps(steps), candidates: [] };
  return answerAct(new Ranker(index), readInstruction(instruction, variables));
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
  return `the instruction has ${steps.length} steps (${named}), and offline/lexical runs one step per call. Use an agent for several steps.`;
}
