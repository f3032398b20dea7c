import { DriverError } from '../../errors.ts';
import type { ModelImage, ProvidedTool } from '../../model/model-client.ts';
import { heldInput } from '../../actions/input/held-input.ts';
import type { Page } from '../../page/page.ts';
import { failedCall } from '../../tools/failed-call.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ToolContext } from '../../tools/tool-context.ts';
import { failed, openedBy, type ToolOutcome } from '../../tools/tool-outcome.ts';
import { Progress } from '../../util/progress.ts';
import { documentOf } from '../page-watch.ts';
import { type ComputerAction, excludedTool, isReadOnly } from './computer-action.ts';
import { performComputerAction } from './perform-computer-action.ts';
import type { Protocol } from './protocol.ts';
import type { SafetyCallback, SafetyCheck } from './safety-check.ts';
import { toScreenshotPoint, type Screen } from './screen.ts';
import { type ScreenCapture, captureScreen, captureView } from './capture-screen.ts';

export const COMPUTER = 'computer';

interface ComputerToolSettings {
  readonly protocol: Protocol;
  readonly model: string;
  readonly onSafetyCheck: SafetyCallback | undefined;
  readonly excluded: ReadonlySet<string>;
  /** Timeout in ms for one call, 0 for none. Does not include the time for a safety check. */
  readonly timeout: number;
}

/** The computer-use tool: mouse, keyboard and screen of a page. Its input has the provider's format. */
export class ComputerTool implements Tool {
  readonly name = COMPUTER;
  readonly description = 'Controls the mouse and the keyboard, and takes screenshots.';
  readonly kind = 'act';
  readonly input = { type: 'object' };
  /** A safety check can wait for a person. The tool applies `timeout` after that. */
  readonly hasNoTimeout = true;
  readonly #settings: ComputerToolSettings;
  #screen: Screen | undefined;
  /** The last screenshot that the model requested in this step. Reset by every action that can change the page. */
  #fresh: { readonly page: Page; readonly picture: ScreenCapture } | undefined;

  constructor(settings: ComputerToolSettings) {
    this.#settings = settings;
  }

  /** Returns the provider's tool definition, which can contain the size of the screenshot. */
  provided(): ProvidedTool {
    const { protocol, model, excluded } = this.#settings;
    return protocol.tool(model, this.#lastScreen(), excluded);
  }

  /** Sets the screen that the model's coordinates refer to. */
  see(screen: Screen): void {
    this.#screen = screen;
  }

  /** Returns the screenshot that the model requested last, if the page has not changed since. Returns it only once. */
  takenOf(page: Page): ScreenCapture | undefined {
    const taken = this.#fresh?.page === page ? this.#fresh.picture : undefined;
    this.#fresh = undefined;
    return taken;
  }

  async run(context: ToolContext, input: unknown): Promise<ToolOutcome> {
    const { protocol } = this.#settings;
    const checks = protocol.checksOf(input);
    if (checks.length > 0 && !(await this.#isPassed(context, { checks, input }))) return refused(checks);
    const actions = protocol.actionsOf(input, this.#lastScreen());
    if (actions.length === 0) return failed('The call contains no action.');
    using progress = this.#begin(context);
    const outcome = await this.#runActions({ ...context, progress }, actions);
    return { ...outcome, ...(checks.length > 0 && { data: { passed: checks } }) };
  }

  #begin({ page, progress }: ToolContext): Progress {
    const { timeout } = this.#settings;
    return new Progress({
      operation: COMPUTER,
      timeout: progress.childTimeout(timeout),
      signals: [progress.signal],
      obstacle: () => page.target.obstacle,
    });
  }

  /**
   * Runs the actions of a call until one fails. After a navigation, only reading actions continue, because the model
   * chose the others for the previous page.
   */
  async #runActions(context: ToolContext, actions: readonly ComputerAction[]): Promise<ToolOutcome> {
    const before = documentOf(context.page);
    let hasMoved = false;
    const watched: ToolContext = {
      ...context,
      usePage: (page) => {
        hasMoved = true;
        context.usePage(page);
      },
    };
    const outcomes: ToolOutcome[] = [];
    for (const action of actions) {
      hasMoved ||= documentOf(context.page) !== before;
      if (hasMoved && !isReadOnly(action)) {
        outcomes.push(failed('Not done: an earlier action opened another page, which you have not seen yet.'));
        break;
      }
      const outcome = await this.#perform(watched, action);
      outcomes.push(outcome);
      if (outcome.isError) break;
    }
    return merged(outcomes, actions.length);
  }

  async #perform(context: ToolContext, action: ComputerAction): Promise<ToolOutcome> {
    const { page, progress } = context;
    const excluded = excludedTool(action, this.#settings.excluded);
    if (excluded !== undefined) return failed(`${excluded} is excluded from this task. Continue without it.`);
    try {
      switch (action.kind) {
        case 'screenshot':
          return screenshotOutcome((await this.#capture(context)).image);
        case 'zoom': {
          const { area } = action;
          return screenshotOutcome(await captureView(progress, page, { area, screen: this.#lastScreen() }));
        }
        case 'cursor-position': {
          const { x, y } = toScreenshotPoint(this.#lastScreen(), heldInput(page.target).mouse);
          return { text: `X=${x}, Y=${y}` };
        }
        default:
          this.#fresh = undefined;
          return await performComputerAction(context, action);
      }
    } catch (error) {
      progress.throwIfEnded();
      if (!(error instanceof DriverError)) throw error;
      return failedCall(action.kind, error, context.hasTool);
    }
  }

  async #capture({ page, progress }: ToolContext): Promise<ScreenCapture> {
    const { protocol, model } = this.#settings;
    const picture = await captureScreen(progress, page, protocol.limits(model));
    this.#fresh = { page, picture };
    return picture;
  }

  async #isPassed(
    { page, progress }: ToolContext,
    asked: { readonly checks: readonly SafetyCheck[]; readonly input: unknown },
  ): Promise<boolean> {
    const { onSafetyCheck } = this.#settings;
    if (!onSafetyCheck) return false;
    const verdict: unknown = await progress.race(Promise.resolve(onSafetyCheck({ ...asked, url: page.url() })));
    return verdict === true;
  }

  #lastScreen(): Screen {
    if (!this.#screen) throw new TypeError('an action needs a screenshot first');
    return this.#screen;
  }
}

export function passedChecks({ data }: ToolOutcome): readonly SafetyCheck[] {
  const { passed = [] } = (data ?? {}) as { readonly passed?: readonly SafetyCheck[] };
  return passed;
}

function refused(checks: readonly SafetyCheck[]): ToolOutcome {
  const reasons = checks.map(({ code, message }) => [code, message].filter(Boolean).join(': ')).join('; ');
  const endsRun = `the provider requires a person to review an action (${reasons}), and nobody approved it`;
  return { ...failed('The action was not performed because it was not approved.'), endsRun };
}

function screenshotOutcome(image: ModelImage): ToolOutcome {
  return { text: 'The screenshot is attached.', images: [image] };
}

/** Merges the outcomes of several actions. The last observed effect counts. */
function merged(outcomes: readonly ToolOutcome[], wanted: number): ToolOutcome {
  const [only] = outcomes;
  if (wanted === 1 && only) return only;
  const numbered = outcomes.map(({ text }, index) => `${index + 1}. ${text}`);
  const left = wanted - outcomes.length;
  const quoted = outcomes.flatMap((outcome) => outcome.quoted ?? []);
  const effect = outcomes.findLast(
    (outcome) => outcome.effect !== undefined && outcome.effect !== 'none-observed',
  )?.effect;
  const [none] = outcomes.flatMap((outcome) => outcome.effect ?? []);
  return {
    text: [...numbered, ...(left > 0 ? [`The other ${left} were skipped.`] : [])].join('\n'),
    ...(quoted.length > 0 && { quoted: quoted.join('\n') }),
    ...(outcomes.some(({ isError }) => isError) && { isError: true }),
    ...(effect ? { effect } : none && { effect: none }),
    ...openedBy(outcomes),
  };
}
