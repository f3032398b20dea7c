import type { PageTarget } from '../cdp/page-target.ts';
import { DocumentGoneError } from '../cdp/protocol-error.ts';
import type { Progress } from '../util/progress.ts';
import { nextObservation, type Observation } from './next-observation.ts';
import { withoutRepeatedParts } from './repeated-parts.ts';
import type { RefTarget, Snapshot, SnapshotOptions, TreeOptions } from './snapshot.ts';
import { takeSnapshot } from './take-snapshot.ts';

export interface ViewOptions
  extends SnapshotOptions, Pick<TreeOptions, 'instruction' | 'withTree' | 'foldsNavigation'> {
  /** Returns the whole page even if the reader already has it. */
  readonly isWhole?: boolean;
  /** True if no action ran since the last read. The page is then not read again unless it has changed since. */
  readonly isWithoutActions?: boolean;
}

/**
 * Tracks what one reader, such as the model of an agent, has received of a page: first the whole page, then the changes
 * since the previous step. After a navigation within a site, leaves out what the previous page also had. Returns the
 * whole page again once the changes add up to more text than the page.
 */
export class PageView {
  readonly #page: PageTarget;
  #shown: Snapshot | undefined;
  /** The last snapshot, before repeated parts were left out. */
  #read: Snapshot | undefined;
  /** The last page of the same site, before the current document. */
  #previous: Snapshot | undefined;
  /** Time of the last read, on the clock of `performance.now()`. */
  #shownAt = 0;
  /** Length of all changes in characters since the whole page was returned. */
  #changes = 0;
  #expand: string | undefined;
  /** The page as it was before the currently open modal dialog. */
  #behindModal: Snapshot | undefined;

  constructor(page: PageTarget) {
    this.#page = page;
  }

  /**
   * Takes a snapshot and returns what the reader does not have yet. An expanded fold stays expanded until the whole
   * page is returned.
   */
  async next(
    progress: Progress,
    { isWhole = false, isWithoutActions = false, ...options }: ViewOptions = {},
  ): Promise<Observation> {
    const before = this.#shown;
    if (
      before &&
      isWithoutActions &&
      !isWhole &&
      options.expand === undefined &&
      (await this.#hasRested(progress, before))
    )
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

  #nextPage(after: Snapshot, options: ViewOptions): Observation {
    this.#previous = this.#read;
    const observation = this.#begin(this.#withoutRepeated(after, options), options.expand);
    this.#read = after;
    return observation;
  }

  /**
   * A snapshot omits the page behind a modal dialog. Adds the earlier text of that page, so that its lines do not count
   * as removed, or as new when the dialog closes.
   */
  #withPageBehind(before: Snapshot, after: Snapshot): Snapshot {
    if (after.linesBehindModal === 0 || after.world !== before.world) {
      this.#behindModal = undefined;
      return after;
    }
    if (before.linesBehindModal === 0) this.#behindModal = before;
    const page = this.#behindModal;
    if (!page) return after;
    const { foldedItems, foldRefs, isFolded } = page;
    const refs = new Map([...page.refs, ...after.refs]);
    return { ...after, text: `${page.text}\n${after.text}`, refs, foldedItems, foldRefs, isFolded };
  }

  /** Always false on pages with child frames, because these are not checked. */
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

  target(ref: string): RefTarget | undefined {
    return this.#shown?.refs.get(ref);
  }

  /** The page as the reader last received it. */
  get snapshot(): Snapshot | undefined {
    return this.#shown;
  }

  /** Closes expanded folds, because their content would be repeated. */
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
