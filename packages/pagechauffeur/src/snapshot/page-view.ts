import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { Progress } from '../util/progress.ts';
import { nextObservation, type Observation } from './next-observation.ts';
import type { RefTarget, Snapshot, SnapshotOptions, TreeOptions } from './snapshot.ts';
import { takeSnapshot } from './take-snapshot.ts';

/** What is to be seen of a page. */
export interface ViewOptions
  extends SnapshotOptions, Pick<TreeOptions, 'instruction' | 'withTree' | 'foldsNavigation'> {
  /** Shows the page from its beginning, whatever was shown before. */
  readonly isWhole?: boolean;
  /** Nothing was done since the last look, so that the page need not be read again when its document has seen no change. */
  readonly isUntouched?: boolean;
}

/**
 * What one reader, such as the model of an agent, knows of a page from step to step: the page first, then what changed since
 * the step before. The page is shown again when it is another document, and when the changes took more than it does.
 */
export class PageView {
  readonly #page: PageTarget;
  #shown: Snapshot | undefined;
  /** When the page was looked at last, on `performance.now()`'s clock. */
  #shownAt = 0;
  /** Characters of the changes since the page was shown. */
  #changes = 0;
  #expand: string | undefined;
  /** The page as it was shown before a modal dialog opened that is still open. */
  #behindModal: Snapshot | undefined;

  constructor(page: PageTarget) {
    this.#page = page;
  }

  /** Looks at the page and tells what its reader does not know yet. What was expanded stays so until the page is shown again. */
  async next(
    progress: Progress,
    { isWhole = false, isUntouched = false, ...options }: ViewOptions = {},
  ): Promise<Observation> {
    const before = this.#shown;
    if (before && isUntouched && !isWhole && options.expand === undefined && (await this.#hasRested(progress, before)))
      return { kind: 'same', text: '' };
    this.#shownAt = performance.now();
    if (!before || isWhole) return this.#whole(progress, options);
    const expand = options.expand ?? this.#expand;
    const wanted = { ...options, ...(expand !== undefined && { expand }), earlier: before };
    const after = await takeSnapshot(progress, this.#page, wanted);
    const known = this.#withPageBehind(before, after);
    const observation = nextObservation(before, known, {
      unfolds: options.expand !== undefined,
      acrossDocuments: true,
    });
    this.#changes += observation.text.length;
    if (observation.kind === 'page' || this.#changes > known.text.length)
      return expand === options.expand ? this.#begin(after, expand) : this.#whole(progress, options);
    this.#shown = known;
    this.#expand = expand;
    return observation;
  }

  /** With a modal dialog open the reader still knows the page behind it, which is there unchanged when the dialog closes. */
  #withPageBehind(before: Snapshot, after: Snapshot): Snapshot {
    if (after.linesBehindModal === 0 || after.world !== before.world) {
      this.#behindModal = undefined;
      return after;
    }
    if (before.linesBehindModal === 0) this.#behindModal = before;
    const page = this.#behindModal;
    if (!page) return after;
    const { foldedThings, isFolded } = page;
    const refs = new Map([...page.refs, ...after.refs]);
    return { ...after, text: `${page.text}\n${after.text}`, refs, foldedThings, isFolded };
  }

  /** Whether nothing has changed since the last look began. Of other frames that is not known. */
  async #hasRested(progress: Progress, { world }: Snapshot): Promise<boolean> {
    if (this.#page.frames.frames.length > 1 || !world) return false;
    try {
      const quietDuration = await progress.race(world.call('quietDuration', 'text'));
      return quietDuration > performance.now() - this.#shownAt;
    } catch (error) {
      if (error instanceof DocumentGoneError) return false;
      throw error;
    }
  }

  /** What a ref leads to that the reader names; undefined when it leads nowhere any more. */
  target(ref: string): RefTarget | undefined {
    return this.#shown?.refs.get(ref);
  }

  /** The page as it was when its reader was told of it last. */
  get snapshot(): Snapshot | undefined {
    return this.#shown;
  }

  /** What was expanded before is folded again: shown in full, it would be told once more. */
  async #whole(progress: Progress, options: Omit<ViewOptions, 'isWhole'>): Promise<Observation> {
    return this.#begin(await takeSnapshot(progress, this.#page, options), options.expand);
  }

  #begin(snapshot: Snapshot, expand: string | undefined): Observation {
    this.#shown = snapshot;
    this.#behindModal = undefined;
    this.#expand = expand;
    this.#changes = 0;
    return { kind: 'page', text: snapshot.text };
  }
}
