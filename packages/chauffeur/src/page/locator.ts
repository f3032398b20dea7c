import { contentFrame } from '../cdp/content-frame.ts';
import type { FrameNode } from '../cdp/frame-node.ts';
import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { World } from '../cdp/world.ts';
import { ContentFrameNotFoundError, DriverElementNotVisibleError, DriverTimeoutError } from '../errors.ts';
import type { Box, ElementFact, ElementTarget, Resolution, WaitState } from '../injected/contract.ts';
import { openClosedRoots } from '../snapshot/closed-roots.ts';
import { checkFlag, checkOneOf, checkString, checkStrings, checkWholeNumber } from '../util/check-argument.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { unresolvedError } from './action/blocked-error.ts';
import type { ActionOutcome, ActionTarget } from './action/element-action.ts';
import { performAction } from './action/perform-action.ts';
import { nextWaitId, pageWaitTime, prepareTarget } from './action/prepare-target.ts';
import { beginCall, type PageSettings } from './call-limits.ts';
import { boxInPage } from './page-box.ts';
import { captureScreenshot, type ScreenshotOptions } from './screenshot.ts';

/** How a locator's action is carried out. */
export interface LocatorActionOptions extends CallOptions {
  /** Skips the checks for visibility, stability and cover. */
  force?: boolean;
}

/** A page that is not blocked tells by itself at the limit why an element is not ready; a busy one needs a moment. */
const ANSWER_GRACE_MS = 1000;

type Unresolved = Exclude<Resolution, { kind: 'element' }>;

/** A lazy recipe for an element: resolved anew on each use, through frames and shadow roots, first match first. */
export class Locator {
  readonly #page: PageTarget;
  readonly #settings: PageSettings;
  readonly #selector: string;

  /** @internal */
  constructor(page: PageTarget, settings: PageSettings, selector: string) {
    checkString('selector', selector);
    this.#page = page;
    this.#settings = settings;
    this.#selector = selector;
  }

  /** The same recipe for the `index`-th match, counted from 0; −1 is the last. */
  nth(index: number): Locator {
    checkWholeNumber('index', index, { least: Number.MIN_SAFE_INTEGER });
    return this.locator(`nth=${index}`);
  }

  /** The first match. */
  first(): Locator {
    return this.nth(0);
  }

  /** The last match. */
  last(): Locator {
    return this.nth(-1);
  }

  /** Goes on with a selector inside what this one finds: its descendants, or its document when it is a frame. */
  locator(selector: string): Locator {
    checkString('selector', selector);
    return new Locator(this.#page, this.#settings, `${this.#selector} >> ${selector}`);
  }

  /** Clicks as a person would, once the element is visible, enabled, still and not covered. */
  async click(options: LocatorActionOptions & { button?: 'left' | 'right' | 'middle' } = {}): Promise<void> {
    const { button = 'left' } = options;
    checkOneOf('button', button, ['left', 'right', 'middle']);
    await this.#act({ left: 'click', right: 'rightClick', middle: 'middleClick' }[button], [], options);
  }

  /** Clicks twice in a row. */
  dblclick(options?: LocatorActionOptions): Promise<void> {
    return this.#act('doubleClick', [], options);
  }

  /** Moves the mouse over the element. */
  hover(options?: LocatorActionOptions): Promise<void> {
    return this.#act('hover', [], options);
  }

  /** Taps as a finger does. */
  tap(options?: LocatorActionOptions): Promise<void> {
    return this.#act('tap', [], options);
  }

  /** Replaces the content of a text field, or sets a date, color, range or number control. */
  async fill(value: string, options?: LocatorActionOptions): Promise<void> {
    checkString('value', value, { mayBeEmpty: true });
    await this.#act('fill', [value], options);
  }

  /** Empties a text field. */
  clear(options?: LocatorActionOptions): Promise<void> {
    return this.fill('', options);
  }

  /** Types key by key after what is there. */
  async type(text: string, options?: LocatorActionOptions): Promise<void> {
    checkString('text', text, { mayBeEmpty: true });
    await this.#act('type', [text], options);
  }

  /** Focuses the element and presses a key or combination such as `Control+A`. */
  async press(keys: string, options?: LocatorActionOptions): Promise<void> {
    checkString('keys', keys);
    await this.#act('press', [keys], options);
  }

  /** Sets a checkbox, radio button or switch to on; does nothing when it is on. */
  check(options?: LocatorActionOptions): Promise<void> {
    return this.#act('check', [], options);
  }

  /** Sets a checkbox or switch to off; does nothing when it is off. */
  uncheck(options?: LocatorActionOptions): Promise<void> {
    return this.#act('uncheck', [], options);
  }

  /** Chooses options of a `select` by label, value or `index=n`; gives the values that are selected then. */
  async selectOption(values: string | readonly string[], options?: LocatorActionOptions): Promise<readonly string[]> {
    if (typeof values !== 'string') checkStrings('values', values);
    const outcome = await this.#perform('select', typeof values === 'string' ? [values] : values, options);
    return outcome.values;
  }

  /** Chooses files for a file input; paths are relative to the working directory. */
  async setInputFiles(paths: string | readonly string[], options?: LocatorActionOptions): Promise<void> {
    if (typeof paths !== 'string') checkStrings('paths', paths);
    return this.#act('upload', typeof paths === 'string' ? [paths] : paths, options);
  }

  /** Gives the element the focus. */
  focus(options?: LocatorActionOptions): Promise<void> {
    return this.#act('focus', [], options);
  }

  /** Scrolls the element's content, or the page when it is the root, to a percentage of its height. */
  scrollTo(percent: number, options?: LocatorActionOptions): Promise<void> {
    return this.#act('scrollTo', [String(percent)], options);
  }

  /** Text of the element and all below it, hidden text included. */
  async textContent(options?: CallOptions): Promise<string> {
    return String((await this.#read('textContent', options)) ?? '');
  }

  /** Text as it is rendered. */
  async innerText(options?: CallOptions): Promise<string> {
    return String((await this.#read('innerText', options)) ?? '');
  }

  /** The element's content as HTML. */
  async innerHtml(options?: CallOptions): Promise<string> {
    return String((await this.#read('innerHTML', options)) ?? '');
  }

  /** The value of an input, text area or select. */
  async inputValue(options?: CallOptions): Promise<string> {
    return String((await this.#read('inputValue', options)) ?? '');
  }

  /** An attribute's value, null when the element does not have it. */
  async getAttribute(name: string, options?: CallOptions): Promise<string | null> {
    checkString('name', name);
    const value = await this.#read(`attribute:${name}`, options);
    return typeof value === 'string' ? value : null;
  }

  /** Whether a checkbox, radio button or switch is on. */
  async isChecked(options?: CallOptions): Promise<boolean> {
    return (await this.#read('isChecked', options)) === true;
  }

  /** Whether the element takes part in the page: not disabled. */
  async isEnabled(options?: CallOptions): Promise<boolean> {
    return (await this.#read('isEnabled', options)) === true;
  }

  /** Whether the element takes text. */
  async isEditable(options?: CallOptions): Promise<boolean> {
    return (await this.#read('isEditable', options)) === true;
  }

  /** Whether a person can see the element now; false when there is none. Does not wait. */
  async isVisible(options?: CallOptions): Promise<boolean> {
    using progress = this.#begin('isVisible', options);
    const answer = await this.#look(progress, 'isVisible');
    return answer.kind === 'value' && answer.value === true;
  }

  /** The element's box in CSS pixels of the page's viewport, null when it has none. */
  async boundingBox(options?: CallOptions): Promise<Box | null> {
    const isShown = (await this.#read('boundingBox', options)) !== null;
    if (!isShown) return null;
    using progress = this.#begin('boundingBox', options);
    return await this.#box(progress);
  }

  /** How many elements match now, within the frame the selector ends in. */
  async count(options?: CallOptions): Promise<number> {
    using progress = this.#begin('count', options);
    const answer = await this.#ask(progress, (world, element) => world.call('resolve', element));
    if (answer.kind === 'element') return answer.count;
    if (answer.kind === 'invalid') throw unresolvedError(answer, this.#selector, progress.callLog);
    return 0;
  }

  /** Waits until the element is `visible` (default), `attached`, `hidden` or `detached`. */
  async waitFor(options: CallOptions & { state?: WaitState } = {}): Promise<void> {
    const { state = 'visible' } = options;
    checkOneOf('state', state, ['attached', 'detached', 'visible', 'hidden']);
    using progress = this.#begin('waitFor', options);
    progress.log(`waiting for ${this.#selector} to be ${state}`);
    const waitId = nextWaitId();
    const answer = await this.#ask(progress, (world, element) =>
      world.call('waitFor', element, { state, timeout: progress.remaining, waitId }),
    );
    if (answer.kind === 'met') return;
    if (answer.kind === 'timeout')
      throw new DriverTimeoutError(`${this.#selector} did not become ${state} in time.`, {
        operation: 'locator.waitFor',
        timeout: options.timeout ?? this.#settings.defaultTimeout,
        callLog: progress.callLog,
      });
    throw unresolvedError(answer, this.#selector, progress.callLog);
  }

  /** A picture of the element as a PNG, or as asked for; scrolls it into view first. */
  async screenshot(options: ScreenshotOptions = {}): Promise<Buffer> {
    await this.#read('isVisible', options);
    await this.waitFor(options);
    using progress = this.#begin('screenshot', options);
    await prepareTarget(progress, this.#page, this.#target(), {
      action: 'scroll',
      timeout: progress.remaining,
      force: true,
    });
    const box = await this.#box(progress);
    if (!box)
      throw new DriverElementNotVisibleError(`${this.#selector} has no box to take a picture of.`, {
        selector: this.#selector,
      });
    return await captureScreenshot(progress, this.#page, { ...options, clip: box });
  }

  async #box(progress: Progress): Promise<Box | null> {
    let world: World | undefined;
    const answer = await this.#ask(progress, (asked, element) => {
      world = asked;
      return asked.call('resolve', element);
    });
    return answer.kind === 'element' && world ? progress.race(boxInPage(this.#page, world, answer.ref)) : null;
  }

  #begin(method: string, options?: CallOptions): Progress {
    return beginCall(`locator.${method}`, this.#settings, { ...options, grace: ANSWER_GRACE_MS });
  }

  async #act(method: string, args: readonly string[], options?: LocatorActionOptions): Promise<void> {
    await this.#perform(method, args, options);
  }

  async #perform(method: string, args: readonly string[], options: LocatorActionOptions = {}): Promise<ActionOutcome> {
    checkFlag('force', options.force);
    using progress = this.#begin(method, options);
    progress.log(`waiting for ${this.#selector}`);
    return await performAction(progress, this.#page, this.#target(), {
      method,
      arguments: args,
      force: options.force ?? false,
      elementTimeout: progress.remaining,
      settleTimeout: 0,
    });
  }

  async #read(fact: ElementFact, options?: CallOptions): Promise<unknown> {
    using progress = this.#begin(fact, options);
    progress.log(`waiting for ${this.#selector}`);
    const waitId = nextWaitId();
    const timeout = pageWaitTime(progress);
    await this.#ask(progress, (world, element) =>
      world.call('waitFor', element, { state: 'attached', timeout, waitId }),
    );
    const answer = await this.#look(progress, fact);
    if (answer.kind === 'value') return answer.value;
    throw unresolvedError(answer, this.#selector, progress.callLog);
  }

  #look(
    progress: Progress,
    fact: ElementFact,
  ): Promise<{ kind: 'value'; value: unknown } | Exclude<Unresolved, { kind: 'frame' }>> {
    return this.#ask(progress, (world, element) => world.call('read', element, fact));
  }

  #target(): ActionTarget {
    return { frame: this.#page.frames.main, element: this.#element(), label: this.#selector };
  }

  #element(): ElementTarget {
    return { selector: this.#selector };
  }

  /** Asks the document that the selector leads to, following it through frames; anew when a document on the way goes away. */
  async #ask<T extends { kind: string }>(progress: Progress, question: Question<T>): Promise<Answer<T>> {
    for (;;) {
      try {
        return await this.#askThrough(progress, question);
      } catch (error) {
        if (!(error instanceof DocumentGoneError)) throw error;
        progress.throwIfEnded();
        progress.log('a document was replaced while the element was looked for');
      }
    }
  }

  async #askThrough<T extends { kind: string }>(progress: Progress, question: Question<T>): Promise<Answer<T>> {
    let frame: FrameNode = this.#page.frames.main;
    let element = this.#element();
    for (;;) {
      const world = await progress.race(frame.worlds.isolated);
      const answer = await progress.race(question(world, element));
      if (answer.kind === 'unexplored') {
        await progress.race(openClosedRoots(world));
        continue;
      }
      if (!leadsToFrame(answer)) return answer as Answer<T>;
      const child = await progress.race(contentFrame(this.#page, world, answer));
      if (!child)
        throw new ContentFrameNotFoundError(`The frame in ${this.#selector} has no document to go on in.`, {
          selector: this.#selector,
        });
      frame = child;
      element = { ...element, selector: answer.rest === '' ? 'html' : answer.rest };
    }
  }
}

type Question<T> = (world: World, element: ElementTarget) => Promise<T>;
type Answer<T> = Exclude<T, { kind: 'frame' | 'unexplored' }>;
type FrameAnswer = Extract<Resolution, { kind: 'frame' }>;

function leadsToFrame(answer: { readonly kind: string }): answer is FrameAnswer {
  return answer.kind === 'frame';
}
