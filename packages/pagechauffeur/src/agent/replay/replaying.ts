import type { Page } from '../../page/page.ts';
import { takeSnapshot } from '../../snapshot/take-snapshot.ts';
import type { Progress } from '../../util/progress.ts';
import { markUntrusted } from '../../model/untrusted-text.ts';
import { beginningOf } from '../agent-prompt.ts';
import type { AgentMetadata, RunOutcome } from '../agent-result.ts';
import { Run } from '../run.ts';
import type { Task } from '../task.ts';
import { actionTexts, recallTask } from './agent-memory.ts';
import { dependenceOf } from './page-dependence.ts';
import { isReplayableAnswer } from './recorded-answer.ts';
import { pageDigest } from './page-digest.ts';
import type { RecordedStep } from './recorded-step.ts';
import { isSameUrlPattern } from './play-recorded.ts';
import { noteOfReplay, type Replayed, replayTask, replayMessages } from './replay-task.ts';
import type { RunRecord } from './run-record.ts';
import { hasWords } from './known-texts.ts';

export type AgentOutcome = RunOutcome & { readonly metadata: AgentMetadata };

interface Beginning {
  readonly page: Page;
  readonly record: RunRecord;
}

/** Runs a task. Replays an earlier run first. A model continues from the first step that does not match. */
export async function replayOrRun(progress: Progress, given: Task, { page, record }: Beginning): Promise<AgentOutcome> {
  const task: Task = {
    ...given,
    tools: given.tools.map((tool) => record.recording(tool)),
    noteResponse: (words) => record.noteProgress(words),
  };
  record.begin(page, task, task.verbs(page).mask);
  const memory = await recallTask(progress, task, page);
  const replayed = memory?.entry && (await replayTask(progress, { task: given, entry: memory.entry, page, record }));
  const answer = replayed && (await storedAnswer(progress, given, replayed));
  if (replayed) logReplay(given, replayed, answer);
  const outcome =
    replayed && answer !== undefined
      ? outcomeOf(given, replayed, answer)
      : await run(progress, task, { page, replayed });
  if (replayed && answer !== undefined) await memory?.keepMoved(replayed.entry, replayed.steps);
  else await memory?.keep(progress, record, outcome);
  return { ...outcome, metadata: { replayedSteps: replayed?.steps.length ?? 0 } };
}

async function run(
  progress: Progress,
  task: Task,
  { page, replayed }: { readonly page: Page; readonly replayed: Replayed | undefined },
): Promise<RunOutcome> {
  const model = new Run(progress, task, replayed?.page ?? page);
  if (replayed && replayed.actions.length > 0) {
    const { done, next, unfit } = replayMessages(replayed);
    const { boundary } = task.verbs(replayed.page);
    const quote = (text: string): string => markUntrusted(text, boundary, task.variables.known);
    const words = [
      'Steps already replayed from an earlier run of this task:',
      quote(done),
      next,
      ...(unfit === undefined ? [] : [quote(unfit)]),
    ];
    const note = noteOfReplay(replayed, task.instruction);
    model.resumeFrom({ actions: replayed.actions, words: words.join('\n'), note });
  }
  return model.run();
}

/** Returns the recorded answer if all steps were replayed and the page still proves it. */
async function storedAnswer(
  progress: Progress,
  task: Task,
  { entry: { ending, steps }, page, unfit }: Replayed,
): Promise<string | undefined> {
  if (unfit !== undefined || !ending || page.isClosed() || !isStillReplayable(ending.answer, task, steps))
    return undefined;
  const verbs = task.verbs(page);
  if (!isSameUrlPattern(verbs.mask(page.url()), ending.url)) return undefined;
  const kind = dependenceOf(task, steps) === undefined ? 'words' : 'exact';
  if (
    ending.shown !== undefined &&
    (await pageDigest(progress, page, { kind, verbs, instruction: task.instruction })) !== ending.shown
  )
    return undefined;
  if (ending.evidence.length === 0) return ending.answer;
  const { text } = await takeSnapshot(progress, page.target, { tokenBudget: Infinity });
  const shown = verbs.mask(text);
  return ending.evidence.every((words) => hasWords(shown, words)) ? ending.answer : undefined;
}

/** Checks a stored answer again, because cache files can be edited. */
function isStillReplayable(answer: string, { instruction, variables }: Task, steps: readonly RecordedStep[]): boolean {
  return isReplayableAnswer(answer, { instruction, variables, actions: actionTexts(steps), hasShown: () => true });
}

function outcomeOf(task: Task, { actions, page }: Replayed, message: string): RunOutcome {
  const { instruction, systemPrompt, variables, budgetTracker } = task;
  const { task: asked } = beginningOf({ task: instruction, systemPrompt, variables: variables.known });
  const { boundary, mask } = task.verbs(page);
  const quoted = markUntrusted(mask(message), boundary, variables.known);
  const answer = { role: 'assistant', text: `${ANSWER_HEADING}\n${quoted}` } as const;
  return { success: true, completed: true, message, actions, messages: [asked, answer], usage: budgetTracker.usage };
}

/** Marks a recorded answer, so that a model that continues the conversation does not take it for its own words. */
const ANSWER_HEADING = 'All steps of an earlier run were replayed. The stored answer of that run:';

function logReplay(task: Task, { entry, steps, unfit, page }: Replayed, answer: string | undefined): void {
  const count = `${steps.length} of ${entry.steps.length} steps were replayed without a model`;
  const next = entry.steps[steps.length]?.element?.step.action.description ?? entry.steps[steps.length]?.tool;
  const rest =
    unfit === undefined
      ? answer === undefined
        ? '; the model gives the answer'
        : ''
      : `; then ${next} no longer matches: ${unfit}`;
  task.verbs(page).log.write('agent', 1, `${count}${rest}.`);
}
