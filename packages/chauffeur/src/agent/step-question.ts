import type { AnswerPart, ModelMessage, StepAnswer } from '../model/model-client.ts';
import { ANY_STEP, stepSchema } from '../model/step-answer.ts';
import type { Page } from '../page/page.ts';
import type { Progress } from '../util/progress.ts';
import { pageView, type ShownPage } from '../verb/prompt.ts';
import { MOST_CALLS } from './run-calls.ts';
import type { Task } from './task.ts';

/** What a model is asked at a step. */
interface StepQuestion {
  readonly page: Page;
  readonly shown: ShownPage;
  readonly messages: readonly ModelMessage[];
  /** Told the model's words as they are written. */
  readonly onPart: ((part: AnswerPart) => void) | undefined;
}

/** What a model wants done, and its answer as it wants it back. */
interface WantedStep {
  readonly answer: StepAnswer;
  readonly original: unknown;
}

/** Asks the model what to do next. */
export function askForStep(
  progress: Progress,
  task: Task,
  { page, shown, messages, onPart }: StepQuestion,
): Promise<WantedStep> {
  const { instruction, variables, tools, computer, model } = task;
  return task.verbs(page).desk.ask(
    progress,
    {
      verb: 'agent',
      instruction,
      page: pageView(shown, variables.known),
      variables: variables.known,
      messages,
      tools: computer?.told(tools) ?? tools,
      schema: stepSchema(tools, MOST_CALLS),
      schemaName: 'agent_step',
      ...(onPart && { onPart }),
    },
    {
      model,
      rules: {
        schema: ANY_STEP,
        check: (output, response) => ({ value: { answer: wholeAnswer(output), original: response?.original } }),
      },
    },
  );
}

function wholeAnswer(output: unknown): StepAnswer {
  // It matches the schema of any step.
  const { text = '', calls } = output as Partial<StepAnswer> & Pick<StepAnswer, 'calls'>;
  return { text, calls: calls.map((call) => ({ ...call, input: call.input ?? {} })) };
}
