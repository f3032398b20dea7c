import { reasonOf } from '../util/error-facts.ts';
import type { Log } from '../util/log.ts';
import type { AgentCallbacks, AgentPart } from './agent-callbacks.ts';
import type { AgentAction, AgentResult, AgentStep } from './agent-result.ts';

interface Listening {
  readonly callbacks: AgentCallbacks | undefined;
  /** Told every part, for a run that is streamed. */
  readonly onPart: ((part: AgentPart) => void) | undefined;
  readonly log: Log;
}

/** Tells those who listen what happens in a run; what one of them throws goes to the log and disturbs nobody. */
export class RunEvents {
  readonly #callbacks: AgentCallbacks;
  readonly #onPart: ((part: AgentPart) => void) | undefined;
  readonly #log: Log;
  readonly #actions: AgentAction[] = [];

  constructor({ callbacks, onPart, log }: Listening) {
    this.#callbacks = callbacks ?? {};
    this.#onPart = onPart;
    this.#log = log;
  }

  /** All that was told of what was carried out or refused, oldest first. */
  get actions(): readonly AgentAction[] {
    return this.#actions;
  }

  /** Whether anybody hears the model's words as they are written. */
  get areWordsHeard(): boolean {
    return this.#onPart !== undefined || this.#callbacks.onChunk !== undefined;
  }

  /** A piece of the run. */
  part(part: AgentPart): void {
    this.#onPart?.(part);
    this.#tell('onChunk', () => this.#callbacks.onChunk?.(part));
  }

  /** A call that was carried out or refused. */
  action(action: AgentAction): void {
    this.#actions.push(action);
    this.#tell('onAction', () => this.#callbacks.onAction?.(action));
    this.part({ type: 'tool-result', step: action.step, action });
  }

  /** The end of a step. */
  stepFinished(finished: AgentStep): void {
    this.#tell('onStepFinish', () => this.#callbacks.onStepFinish?.(finished));
    this.part({ type: 'step-finish', step: finished.step, finished });
  }

  /** The end of the run. */
  finished(result: AgentResult): void {
    this.#tell('onFinish', () => this.#callbacks.onFinish?.(result));
    this.part({ type: 'finish', result });
  }

  /** The error that the run ends with. */
  failed(error: unknown): void {
    this.#tell('onError', () => this.#callbacks.onError?.(error));
  }

  #tell(name: string, call: () => unknown): void {
    const note = (error: unknown): void => this.#log.write('agent', 0, `${name} failed: ${reasonOf(error)}`);
    try {
      Promise.resolve(call()).catch(note);
    } catch (error) {
      note(error);
    }
  }
}
