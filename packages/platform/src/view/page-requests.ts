import type { Session } from 'pagechauffeur/internal';
import type { PlatformLog } from '../platform-log.ts';
import { reasonOf } from '../errors.ts';
import { takeFiles } from './take-files.ts';
import type { UploadedFile, PageRequest } from './view-wire.ts';

interface PageRequestsParts {
  readonly session: Session;
  readonly log: PlatformLog;
  /** True if clients are connected, which handle dialogs themselves. */
  readonly hasClients: () => boolean;
  /** Called when a dialog or file chooser opens or closes. */
  readonly onChange: () => void;
}

interface FileControl {
  readonly frameId: string;
  readonly backendNodeId: number;
  readonly isMultiple: boolean;
}

const MAX_DIALOG_CHARACTERS = 10_000;

/** Dialogs and file choosers of a page, which a screencast does not show. */
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

  /**
   * While an operator is in control, file choosers go to the operator and dialogs stay open. Afterwards, clients get
   * file choosers again, and an open dialog is closed.
   */
  setPersonal(isPersonal: boolean): void {
    if (isPersonal === this.#isPersonal) return;
    this.#isPersonal = isPersonal;
    this.#run('Page.setInterceptFileChooserDialog', { enabled: isPersonal });
    if (isPersonal) return;
    this.#set({ control: undefined });
    this.#close();
  }

  /** Accepts or dismisses the open dialog. `text` answers a prompt. */
  async answer(accept: boolean, text: string): Promise<void> {
    if (!this.#dialog) return;
    const promptText = this.#dialog.kind === 'prompt' ? { promptText: text } : {};
    await this.#parts.session.send('Page.handleJavaScriptDialog', { accept, ...promptText });
  }

  /** Sets the files of the input whose chooser is open. An empty list cancels. */
  async setFiles(files: readonly UploadedFile[]): Promise<void> {
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

  /** A dialog without an answer would block its page. Accepts `beforeunload` and dismisses all others. */
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
      // The page has closed, or another client was faster. Events report both.
      log.info({ method, reason: reasonOf(error) }, 'a page rejected a command');
    });
  }
}

function shortened(text: string): string {
  return text.slice(0, MAX_DIALOG_CHARACTERS);
}
