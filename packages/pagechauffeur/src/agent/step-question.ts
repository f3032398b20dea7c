import type { AnswerPart, FinishReason, ModelMessage, ModelResponse, StepAnswer } from '../model/model-client.ts';
import { ANY_STEP, stepSchema } from '../model/step-answer.ts';
import type { Page } from '../page/page.ts';
import { describeTools } from '../tools/describe-tools.ts';
import type { Progress } from '../util/progress.ts';
import { pageView, type ShownPage } from '../model/prompt.ts';
import { MAX_CALLS } from './run-calls.ts';
import type { StepSettings } from './prepare-step.ts';
import type { Task } from './task.ts';

interface StepQuestion {
  readonly page: Page;
  readonly shown: ShownPage;
  readonly messages: readonly ModelMessage[];
  readonly settings: StepSettings;
  readonly onPart: ((part: AnswerPart) => void) | undefined;
}

/** A step that the model requested, and its response in the provider's format, which later requests must repeat. */
export interface RequestedStep {
  readonly answer: StepAnswer;
  readonly original: unknown;
  readonly isOriginalBound: boolean | undefined;
  readonly finishReason: FinishReason;
}

export function askForStep(
  progress: Progress,
  task: Task,
  { page, shown, messages, settings, onPart }: StepQuestion,
): Promise<RequestedStep> {
  const { instruction, variables, computer } = task;
  const { tools, model } = settings;
  const described = computer ? tools : describeTools(tools);
  return task.verbs(page).modelService.ask(
    progress,
    {
      verb: 'agent',
      instruction,
      page: pageView(shown, variables.known),
      variables: variables.known,
      messages,
      tools: computer?.toolsForModel(tools) ?? described,
      schema: stepSchema(described, MAX_CALLS),
      schemaName: 'agent_step',
      ...(onPart && { onPart }),
    },
    {
      model,
      rules: {
        schema: ANY_STEP,
        check: (output, response) => ({ value: requestedStep(wholeAnswer(output), response) }),
      },
    },
  );
}

function requestedStep(answer: StepAnswer, response: ModelResponse | undefined): RequestedStep {
  const { original, isOriginalBound, stopped, finishReason } = response ?? {};
  const reason = stopped ? STOPPED[stopped] : answer.calls.length > 0 ? 'tool-calls' : 'stop';
  return { answer, original, isOriginalBound, finishReason: finishReason ?? reason };
}

/** Finish reasons for clients that report none. */
const STOPPED: Readonly<Record<NonNullable<ModelResponse['stopped']>, FinishReason>> = {
  'cut-off': 'length',
  refused: 'content-filter',
};

function wholeAnswer(output: unknown): StepAnswer {
  // `ANY_STEP` has validated the output. It allows any tool.
  const { text = '', calls, isNotUnderstood } = output as Partial<StepAnswer> & Pick<StepAnswer, 'calls'>;
  return {
    text,
    calls: calls.map((call) => ({ ...call, input: call.input ?? {} })),
    ...(isNotUnderstood === true && { isNotUnderstood }),
  };
}
