import { reasonOf } from '../util/error-facts.ts';
import type { Log } from '../util/log.ts';
import type { AgentAbort, AgentCallbacks, AgentPart, AgentStart, AgentStepStart } from './agent-callbacks.ts';
import type { AgentAction, AgentResult, AgentStep } from './agent-result.ts';

interface RunEventsOptions {
  readonly callbacks: AgentCallbacks | undefined;
  readonly onPart: ((part: AgentPart) => void) | undefined;
  readonly log: Log;
}

/** Calls the caller's callbacks. Logs their errors, so that they cannot break the run. */
export class RunEvents {
  readonly #callbacks: AgentCallbacks;
  readonly #onPart: ((part: AgentPart) => void) | undefined;
  readonly #log: Log;
  readonly #actions: AgentAction[] = [];
  readonly #steps: AgentStep[] = [];

  constructor({ callbacks, onPart, log }: RunEventsOptions) {
    this.#callbacks = callbacks ?? {};
    this.#onPart = onPart;
    this.#log = log;
  }

  /** All actions so far, including replayed ones. */
  get actions(): readonly AgentAction[] {
    return this.#actions;
  }

  get steps(): readonly AgentStep[] {
    return this.#steps;
  }

  /** True if the caller reads text while the model streams it. */
  get isTextStreamed(): boolean {
    return this.#onPart !== undefined || this.#callbacks.onChunk !== undefined;
  }

  part(part: AgentPart): void {
    this.#onPart?.(part);
    this.#notify('onChunk', () => this.#callbacks.onChunk?.(part));
  }

  action(action: AgentAction): void {
    this.#actions.push(action);
    this.#notify('onAction', () => this.#callbacks.onAction?.(action));
    this.part({ type: 'tool-result', step: action.step, action });
  }

  started(start: AgentStart): void {
    this.#notify('onStart', () => this.#callbacks.onStart?.(start));
  }

  stepStarted(stepNumber: number): void {
    const start: AgentStepStart = { stepNumber, steps: [...this.#steps] };
    this.#notify('onStepStart', () => this.#callbacks.onStepStart?.(start));
    this.part({ type: 'step-start', step: stepNumber + 1 });
  }

  stepEnded(finished: AgentStep): void {
    this.#steps.push(finished);
    this.#callNamed(['onStepEnd', 'onStepFinish'], finished);
    this.part({ type: 'step-finish', step: finished.step, finished });
  }

  ended(result: AgentResult): void {
    this.#callNamed(['onEnd', 'onFinish'], result);
    this.part({ type: 'finish', result });
  }

  failed(error: unknown): void {
    this.#notify('onError', () => this.#callbacks.onError?.(error));
  }

  aborted(reason: unknown): void {
    const abort: AgentAbort = { steps: [...this.#steps], reason };
    this.#notify('onAbort', () => this.#callbacks.onAbort?.(abort));
  }

  /** Calls the first callback that is set. `names` has the current name first, then the deprecated one. */
  #callNamed<const Name extends keyof AgentCallbacks>(
    names: readonly Name[],
    event: Parameters<NonNullable<AgentCallbacks[Name]>>[0],
  ): void {
    const name = names.find((one) => this.#callbacks[one] !== undefined);
    if (name === undefined) return;
    const callback = this.#callbacks[name] as (given: typeof event) => unknown;
    this.#notify(name, () => callback.call(this.#callbacks, event));
  }

  #notify(name: string, call: () => unknown): void {
    const note = (error: unknown): void => this.#log.write('agent', 0, `${name} failed: ${reasonOf(error)}`);
    try {
      Promise.resolve(call()).catch(note);
    } catch (error) {
      note(error);
    }
  }
}
