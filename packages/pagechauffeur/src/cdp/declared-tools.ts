import type { Protocol } from 'devtools-protocol';
import { CleanupStack } from '../util/cleanup-stack.ts';
import { type Deferred, deferred, ignoreRejection } from '../util/deferred.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import type { FrameNode } from './frame-node.ts';
import type { PageTarget } from './page-target.ts';
import type { EventParams } from './protocol.ts';
import type { Session } from './session.ts';

/**
 * A tool that a page declares through `document.modelContext` or form attributes (WebMCP). Name, description and schema
 * are untrusted page text.
 */
export interface DeclaredTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema, if the page's declaration is valid. */
  readonly inputSchema: unknown;
  /** True if the page marks the tool as consequential, as for a purchase. */
  readonly isConsequential: boolean;
  /** True if the tool only fills a form, which must be submitted afterwards. */
  readonly isForm: boolean;
  readonly frame: FrameNode;
}

/**
 * `document-gone`: the document was replaced or removed and sent no result. `filled-in`: the form is filled but not
 * submitted.
 */
export type DeclaredAnswer =
  | { readonly kind: 'answered'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'document-gone' | 'filled-in' };

type Responded = EventParams<'WebMCP.toolResponded'>;

/** Time in ms for filling a form, and for the result of a tool whose document is gone. */
const RESULT_GRACE_MS = 500;

/** Time in ms for all processes of the page to report their tools. One may hang. */
const START_TIMEOUT_MS = 1000;

const toolsByPage = new WeakMap<PageTarget, DeclaredTools>();

export function declaredTools(page: PageTarget): DeclaredTools {
  const known = toolsByPage.get(page) ?? new DeclaredTools(page);
  toolsByPage.set(page, known);
  return known;
}

/**
 * Tracks the tools that a page's documents declare. Empty if the browser does not support WebMCP. The page cannot
 * detect the tracking.
 */
export class DeclaredTools {
  readonly #page: PageTarget;
  readonly #toolsByFrame = new Map<string, Map<string, Protocol.WebMCP.Tool>>();
  readonly #answers = new Map<string, Deferred<Responded>>();
  readonly #started: Promise<unknown>;

  constructor(page: PageTarget) {
    this.#page = page;
    page.events.on('session', (session) => void this.#listen(session));
    // No event reports that the tools of the previous document are gone.
    page.frames.events.on('navigated', ({ id }) => void this.#toolsByFrame.delete(id));
    this.#started = withTimeout(START_TIMEOUT_MS, Promise.all(page.sessions.map((session) => this.#listen(session))));
  }

  /** Returns the tools of the current documents in order of declaration. */
  async list(progress: Progress): Promise<readonly DeclaredTool[]> {
    await progress.race(this.#started);
    return [...this.#toolsByFrame].flatMap(([id, byName]) => {
      const frame = this.#page.frames.frame(id);
      return frame ? [...byName.values()].map((tool) => readTool(tool, frame)) : [];
    });
  }

  /** Calls a tool, and cancels the call if `progress` is aborted. */
  async call(progress: Progress, { frame, name, isForm }: DeclaredTool, input: unknown): Promise<DeclaredAnswer> {
    const { session, id: frameId } = frame;
    using stops = new CleanupStack();
    const gone = deferred<'gone'>();
    const { events } = this.#page.frames;
    stops.defer(events.on('navigated', ({ id }) => id === frameId && gone.resolve('gone')));
    stops.defer(events.on('detached', () => frame.isDetached && gone.resolve('gone')));
    stops.defer(session.on('closed', () => gone.resolve('gone')));
    const invoked = session.send('WebMCP.invokeTool', { frameId, toolName: name, input });
    try {
      const { invocationId } = await progress.race(invoked);
      const answer = this.#answer(invocationId);
      const ended = isForm ? withTimeout(RESULT_GRACE_MS, gone.promise) : gone.promise;
      const first = await progress.race(Promise.race([answer, ended]));
      if (first === undefined) return { kind: 'filled-in' };
      const last = first === 'gone' ? await progress.race(withTimeout(RESULT_GRACE_MS, answer)) : first;
      return last ? readAnswer(last) : { kind: 'document-gone' };
    } finally {
      if (progress.signal.aborted) this.#cancel(session, invoked);
    }
  }

  #cancel(session: Session, invoked: Promise<{ invocationId: string }>): void {
    invoked
      .then(({ invocationId }) => session.send('WebMCP.cancelInvocation', { invocationId }))
      .catch(ignoreRejection);
  }

  /** The result can arrive before `invokeTool` returns the id of the call. */
  #answer(id: string): Promise<Responded> {
    const answer = this.#answers.get(id) ?? deferred<Responded>();
    this.#answers.set(id, answer);
    return answer.promise;
  }

  /** A browser without WebMCP rejects `WebMCP.enable`, and the list stays empty. */
  async #listen(session: Session): Promise<void> {
    session.on('WebMCP.toolsAdded', ({ tools }) => {
      // Tools for debugging are meant for page developers.
      for (const tool of tools.filter(({ annotations }) => !annotations?.debugging))
        this.#toolsOf(tool.frameId).set(tool.name, tool);
    });
    session.on('WebMCP.toolsRemoved', ({ tools }) => {
      for (const { frameId, name } of tools) this.#toolsByFrame.get(frameId)?.delete(name);
    });
    session.on('WebMCP.toolResponded', (event) => {
      void this.#answer(event.invocationId);
      this.#answers.get(event.invocationId)?.resolve(event);
    });
    await session.sendOnce('WebMCP.enable').catch(ignoreRejection);
  }

  #toolsOf(frameId: string): Map<string, Protocol.WebMCP.Tool> {
    const tools = this.#toolsByFrame.get(frameId) ?? new Map<string, Protocol.WebMCP.Tool>();
    this.#toolsByFrame.set(frameId, tools);
    return tools;
  }
}

function readTool(tool: Protocol.WebMCP.Tool, frame: FrameNode): DeclaredTool {
  const { name, description, annotations, backendNodeId } = tool;
  return {
    name,
    description,
    inputSchema: tool.inputSchema as unknown,
    isConsequential: annotations?.consequential ?? false,
    isForm: backendNodeId !== undefined && annotations?.autosubmit !== true,
    frame,
  };
}

function readAnswer({ status, output, errorText, exception }: Responded): DeclaredAnswer {
  if (status === 'Completed') return { kind: 'answered', output: output as unknown };
  return { kind: 'failed', reason: errorText || exception?.description || status };
}
