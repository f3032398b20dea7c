import { canonicalMethod, typedText } from '../../actions/methods.ts';
import type { ToolContext } from '../../tools/tool-context.ts';
import type { ToolOutcome } from '../../tools/tool-outcome.ts';
import { type Names, replacePlaceholders } from '../../util/placeholders.ts';
import type { DoneStep } from '../../verb/perform-step.ts';
import { type StoredStep, storedStep, withSwitch } from '../../replay/stored-step.ts';
import type { Locating } from '../script/locating.ts';
import type { RecordedStep, StepFacts } from './recorded-step.ts';
import type { StepNotes } from './step-notes.ts';

interface ElementCall {
  readonly context: ToolContext;
  readonly input: Readonly<Record<string, unknown>>;
  readonly facts: StepFacts;
  readonly notes: StepNotes;
}

export interface NotedStep {
  readonly step: RecordedStep;
  readonly secret?: string;
}

/** Converts a completed element action to steps that can be replayed. */
export function elementSteps(tool: string, outcome: ToolOutcome, call: ElementCall): readonly NotedStep[] {
  const { step: done, effect } = outcome;
  if (!done) return [];
  if (tool !== 'fill' || done.action.method !== 'press') return noted(tool, done, { ...call, effect });
  // `fill` with `submit` also pressed Enter. It is replayed as two steps.
  const text = String(call.input['text'] ?? '');
  const description = done.action.description.replace(/^press (?:Enter on )?/, 'fill ');
  const filled = { ...done, action: { ...done.action, description, method: 'fill', arguments: [text] } };
  const { shown: _shown, ...facts } = call.facts;
  const pressed = { ...call, input: {}, facts: { ...facts, waited: 0 }, effect };
  return [...noted('fill', filled, { ...call, effect: undefined }), ...noted('press', done, pressed)];
}

function noted(
  tool: string,
  done: DoneStep,
  { context, input, facts, notes, effect }: ElementCall & { readonly effect: RecordedStep['effect'] | undefined },
): readonly NotedStep[] {
  const { ref: _ref, to: _to, text, submit: _submit, ...rest } = input;
  const secret = secretIn(done, context.variables);
  const shown =
    secret === undefined
      ? done
      : { ...done, action: { ...done.action, arguments: done.action.arguments.map(() => SECRET) } };
  const kept = stored(shown, context, notes);
  if (!kept) return [];
  const step = withText(withSwitch(kept, done.outcome), done);
  const { action } = step;
  const texts =
    text === undefined || action.method === 'press' ? {} : { text: typedText(action.method, action.arguments) };
  return [
    {
      step: {
        tool,
        input: { ...rest, ...texts },
        ...facts,
        ...(effect && { effect }),
        element: {
          step,
          locating: notes.locating ?? byPath(done),
          ...(notes.goal?.locating && { goal: notes.goal.locating }),
        },
      },
      ...(secret !== undefined && { secret }),
    },
  ];
}

/** Stands for a typed password. Scripts read its value from the environment. */
export const SECRET = '%password%';

/** Returns text that was typed into a password field, unless it came from a variable. */
function secretIn(
  { action: { method, arguments: args }, outcome: { element } }: DoneStep,
  variables: Names,
): string | undefined {
  const text = element.isPassword ? typedText(method, args) : undefined;
  return text !== undefined && replacePlaceholders(text, variables, () => '').trim() !== '' ? text : undefined;
}

/** Stores whether the field was filled before. Typing appends, so the result depends on that. */
function withText(step: StoredStep, { outcome: { fingerprint } }: DoneStep): StoredStep {
  if (!ADDING.has(canonicalMethod(step.action.method) ?? '') || fingerprint?.isFilled === undefined) return step;
  return { ...step, fingerprint: { ...step.fingerprint, isFilled: fingerprint.isFilled } };
}

const ADDING: ReadonlySet<string> = new Set(['type', 'append']);

function stored(done: DoneStep, { verbs }: ToolContext, { goal }: StepNotes): StoredStep | undefined {
  if (done.action.method !== 'dragAndDrop' || done.goal || !goal) return storedStep(done, verbs.mask);
  const action = { ...done.action, arguments: [goal.selector] };
  return storedStep({ ...done, action, goal: goal.element }, verbs.mask);
}

export function byPath({ outcome: { xpath } }: DoneStep): Locating {
  return { frames: [], by: 'selector', value: `xpath=${xpath}` };
}
