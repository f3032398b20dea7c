import type { Session } from 'pagechauffeur/internal';
import type { PlatformLog } from '../platform-log.ts';
import { reasonOf } from '../errors.ts';
import { takeFiles } from './take-files.ts';
import type { GivenFile, PageRequest } from './view-wire.ts';

interface PageRequestsParts {
  readonly session: Session;
  readonly log: PlatformLog;
  /** Whether the browser has clients, which see to what its pages ask for. */
  readonly hasClients: () => boolean;
  /** Called when there is something new. */
  readonly onChange: () => void;
}

interface FileControl {
  readonly frameId: string;
  readonly backendNodeId: number;
  readonly isMultiple: boolean;
}

/** What a person is shown of a dialog's text. */
const MAX_DIALOG_CHARACTERS = 10_000;

/** What a page asks of the person in front of it, where pictures do not show it: dialogs and files. */
export class PageRequests {
  readonly #parts: PageRequestsParts;
  #dialog: PageRequest['dialog'];
  #control: FileControl | undefined;
  #isPersonal = false;

  constructor(parts: PageRequestsParts) {
    this.#parts = parts;
    const { session } = parts;
    session.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt = '' }) => {
      this.#set({ dialog: { kind: type, message: shortened(message), text: shortened(defaultPrompt) } });
      if (!this.#isPersonal && !parts.hasClients()) this.#close();
    });
    session.on('Page.javascriptDialogClosed', () => this.#set({ dialog: undefined }));
    session.on('Page.fileChooserOpened', ({ frameId, backendNodeId, mode }) => {
      if (backendNodeId !== undefined)
        this.#set({ control: { frameId, backendNodeId, isMultiple: mode === 'selectMultiple' } });
    });
    session.on('Page.frameStartedNavigating', () => this.#set({ control: undefined }));
    this.#run('Page.enable');
  }

  get pageRequest(): Omit<PageRequest, 'field'> {
    return { dialog: this.#dialog, files: this.#control && { isMultiple: this.#control.isMultiple } };
  }

  /** Whether a person works in the page. Without one it is its clients that are asked for files, and dialogs are closed. */
  setPersonal(isPersonal: boolean): void {
    if (isPersonal === this.#isPersonal) return;
    this.#isPersonal = isPersonal;
    this.#run('Page.setInterceptFileChooserDialog', { enabled: isPersonal });
    if (isPersonal) return;
    this.#set({ control: undefined });
    this.#close();
  }

  /** Answers the dialog that is open. */
  async answer(accept: boolean, text: string): Promise<void> {
    if (!this.#dialog) return;
    const promptText = this.#dialog.kind === 'prompt' ? { promptText: text } : {};
    await this.#parts.session.send('Page.handleJavaScriptDialog', { accept, ...promptText });
  }

  /** Gives files to the control that asked for them; none: the person gives none. */
  async give(files: readonly GivenFile[]): Promise<void> {
    const control = this.#control;
    this.#set({ control: undefined });
    if (!control || files.length === 0) return;
    const { session } = this.#parts;
    const { frameId, backendNodeId } = control;
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId,
      worldName: 'chauffeur-view',
    });
    const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
    await session.send('Runtime.callFunctionOn', {
      objectId: object.objectId ?? '',
      functionDeclaration: takeFiles.toString(),
      arguments: [{ objectId: object.objectId ?? '' }, { value: files }],
    });
  }

  /** A dialog that nobody answers would block its page; leaving one is allowed, the rest is declined. */
  #close(): void {
    if (this.#dialog) this.#run('Page.handleJavaScriptDialog', { accept: this.#dialog.kind === 'beforeunload' });
  }

  #set(change: { dialog?: PageRequest['dialog']; control?: FileControl | undefined }): void {
    if ('dialog' in change) this.#dialog = change.dialog;
    if ('control' in change) this.#control = change.control;
    this.#parts.onChange();
  }

  #run(
    method: 'Page.enable' | 'Page.setInterceptFileChooserDialog' | 'Page.handleJavaScriptDialog',
    params?: object,
  ): void {
    const { session, log } = this.#parts;
    session.sendRaw(method, params).catch((error: unknown) => {
      // The page is gone, or somebody else was faster; both are told by its events.
      log.info({ method, reason: reasonOf(error) }, 'a page did not take what it was told');
    });
  }
}

function shortened(text: string): string {
  return text.slice(0, MAX_DIALOG_CHARACTERS);
}
