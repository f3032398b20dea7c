import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { Progress } from '../util/progress.ts';
import { nextObservation, type Observation } from './next-observation.ts';
import { withoutRepeatedParts } from './repeated-parts.ts';
import type { RefTarget, Snapshot, SnapshotOptions, TreeOptions } from './snapshot.ts';
import { takeSnapshot } from './take-snapshot.ts';

/** Options for reading a page. */
export interface ViewOptions
  extends SnapshotOptions, Pick<TreeOptions, 'instruction' | 'withTree' | 'foldsNavigation'> {
  /** Returns the whole page, even if the reader already has it. */
  readonly isWhole?: boolean;
  /** True if no action ran since the last read. The page is then not read again unless its document has changed. */
  readonly isUntouched?: boolean;
}

/**
 * Tracks what one reader, such as an agent's model, has received of a page: first the whole page, then the changes
 * since the previous step. For the next page of a site, leaves out the parts that the previous page also had. Returns
 * the whole page again once the changes add up to more text than the page.
 */
export class PageView {
  readonly #page: PageTarget;
  #shown: Snapshot | undefined;
  /** The page as read, including the parts that `#shown` leaves out because the previous page also had them. */
  #read: Snapshot | undefined;
  /** The previous page of the same site, before the current document. */
  #previous: Snapshot | undefined;
  /** Time of the last read, on the clock of `performance.now()`. */
  #shownAt = 0;
  /** Length of all changes since the whole page was returned. */
  #changes = 0;
  #expand: string | undefined;
  /** The page as it was before the currently open modal dialog. */
  #behindModal: Snapshot | undefined;

  constructor(page: PageTarget) {
    this.#page = page;
  }

  /**
   * Takes a snapshot and returns what the reader does not have yet. An expanded fold stays expanded until the whole
   * page is returned again.
   */
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
    const known = this.#withPageBehind(before, this.#withoutRepeated(after, wanted));
    const observation = nextObservation(before, known, {
      unfolds: options.expand !== undefined,
      acrossDocuments: true,
    });
    if (observation.kind === 'page' && after.world !== before.world) return this.#nextPage(after, wanted);
    this.#changes += observation.text.length;
    if (observation.kind === 'page' || this.#changes > known.text.length)
      return expand === options.expand ? this.#beginAnew(after, expand) : this.#whole(progress, options);
    this.#shown = known;
    this.#read = after;
    this.#expand = expand;
    return observation;
  }

  #withoutRepeated(after: Snapshot, { instruction, expand }: ViewOptions): Snapshot {
    return this.#previous ? withoutRepeatedParts(after, this.#previous, { instruction, expand }) : after;
  }

  /** Returns the next page of a site, without the parts that the previous page also had. */
  #nextPage(after: Snapshot, options: ViewOptions): Observation {
    this.#previous = this.#read;
    const observation = this.#begin(this.#withoutRepeated(after, options), options.expand);
    this.#read = after;
    return observation;
  }

  /**
   * Adds the page behind a modal dialog to the snapshot. The reader still has it, and it counts as unchanged when the
   * dialog closes.
   */
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

  /**
   * True if nothing has changed since the start of the last read. Always false on pages with child frames, because
   * these are not checked.
   */
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

  /** Returns the element of a ref, or `undefined` if the ref is not in the last snapshot. */
  target(ref: string): RefTarget | undefined {
    return this.#shown?.refs.get(ref);
  }

  /** The page as the reader last received it. */
  get snapshot(): Snapshot | undefined {
    return this.#shown;
  }

  /** Returns the whole page. Closes folds that were expanded earlier, because their content would be repeated. */
  async #whole(progress: Progress, options: Omit<ViewOptions, 'isWhole'>): Promise<Observation> {
    return this.#beginAnew(await takeSnapshot(progress, this.#page, options), options.expand);
  }

  #beginAnew(snapshot: Snapshot, expand: string | undefined): Observation {
    this.#previous = undefined;
    return this.#begin(snapshot, expand);
  }

  #begin(snapshot: Snapshot, expand: string | undefined): Observation {
    this.#shown = snapshot;
    this.#read = snapshot;
    this.#behindModal = undefined;
    this.#expand = expand;
    this.#changes = 0;
    return { kind: 'page', text: snapshot.text };
  }
}
