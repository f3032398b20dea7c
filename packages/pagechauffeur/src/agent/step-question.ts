import type { AnswerPart, FinishReason, ModelMessage, ModelResponse, StepAnswer } from '../model/model-client.ts';
import { ANY_STEP, stepSchema } from '../model/step-answer.ts';
import type { Page } from '../page/page.ts';
import { describeTools } from '../tools/describe-tools.ts';
import type { Progress } from '../util/progress.ts';
import { pageView, type ShownPage } from '../model/prompt.ts';
import { MAX_CALLS } from './run-calls.ts';
import type { StepPlan } from './prepare-step.ts';
import type { Task } from './task.ts';

/** A model call for a step. */
interface StepQuestion {
  readonly page: Page;
  readonly shown: ShownPage;
  readonly messages: readonly ModelMessage[];
  readonly plan: StepPlan;
  /** Receives the model's text as it streams. */
  readonly onPart: ((part: AnswerPart) => void) | undefined;
}

/** The calls that a model requests, and the original response, which must be sent back to the provider. */
export interface WantedStep {
  readonly answer: StepAnswer;
  readonly original: unknown;
  readonly isOriginalBound: boolean | undefined;
  /** The reason why the model stopped. */
  readonly finishReason: FinishReason;
}

/** Asks the model for the next step. */
export function askForStep(
  progress: Progress,
  task: Task,
  { page, shown, messages, plan, onPart }: StepQuestion,
): Promise<WantedStep> {
  const { instruction, variables, computer } = task;
  const { tools, model } = plan;
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
        check: (output, response) => ({ value: wantedStep(wholeAnswer(output), response) }),
      },
    },
  );
}

function wantedStep(answer: StepAnswer, response: ModelResponse | undefined): WantedStep {
  const { original, isOriginalBound, stopped, finishReason } = response ?? {};
  const reason = stopped ? STOPPED[stopped] : answer.calls.length > 0 ? 'tool-calls' : 'stop';
  return { answer, original, isOriginalBound, finishReason: finishReason ?? reason };
}

/** Finish reasons for clients that do not report one. */
const STOPPED: Readonly<Record<NonNullable<ModelResponse['stopped']>, FinishReason>> = {
  'cut-off': 'length',
  refused: 'content-filter',
};

function wholeAnswer(output: unknown): StepAnswer {
  // The output matches the schema of a step, regardless of its tools.
  const { text = '', calls, isNotUnderstood } = output as Partial<StepAnswer> & Pick<StepAnswer, 'calls'>;
  return {
    text,
    calls: calls.map((call) => ({ ...call, input: call.input ?? {} })),
    ...(isNotUnderstood === true && { isNotUnderstood }),
  };
}
