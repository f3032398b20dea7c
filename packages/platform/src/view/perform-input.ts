import type { Session } from 'pagechauffeur/internal';
import { ruleOn } from '../gateway/command-rules.ts';
import type { ShownPage } from './shown-page.ts';
import type { ViewRequest } from './view-wire.ts';

/** Requests that act on the shown page. */
export type OperatorInput = Exclude<ViewRequest, { type: 'show' | 'return' | 'answer' | 'take-over' | 'hand-back' }>;

/** Performs operator input in a page. Resolves with a message for the operator if the input is refused or fails. */
export async function performInput(page: ShownPage, input: OperatorInput): Promise<string | undefined> {
  const session = await page.session();
  if (input.type === 'dialog') await page.pageRequests?.answer(input.accept, input.text);
  else if (input.type === 'files') await page.pageRequests?.setFiles(input.files);
  else if (input.type === 'choose') await page.fields?.choose(input.value);
  else if (input.type !== 'mouse' && input.type !== 'touch') return enter(session, input);
  else {
    const left = page.fields ? await page.fields.take(input) : input;
    if (left) await enter(session, left);
  }
  return undefined;
}

async function enter(session: Session, input: PageInput): Promise<string | undefined> {
  if (input.type === 'navigate') return navigate(session, input.url);
  if (input.type === 'go') await go(session, input.to);
  else if (input.type === 'mouse')
    await session.send('Input.dispatchMouseEvent', { ...withoutType(input), type: input.event });
  else if (input.type === 'wheel')
    await session.send('Input.dispatchMouseEvent', { ...withoutType(input), type: 'mouseWheel' });
  else if (input.type === 'touch')
    await session.send('Input.dispatchTouchEvent', {
      type: input.event,
      touchPoints: input.points.map((point) => ({ ...point })),
      modifiers: input.modifiers,
    });
  else if (input.type === 'key') await press(session, input);
  else if (input.type === 'compose')
    await session.send('Input.imeSetComposition', {
      text: input.text,
      selectionStart: input.text.length,
      selectionEnd: input.text.length,
    });
  else await session.send('Input.insertText', { text: input.text });
  return undefined;
}

type PageInput = Exclude<OperatorInput, { type: 'dialog' | 'files' | 'choose' }>;
type InputOf<Type extends OperatorInput['type']> = Extract<OperatorInput, { type: Type }>;

/** `example.com` and `localhost:3000` become `http:` URLs. */
async function navigate(session: Session, typed: string): Promise<string | undefined> {
  const url = /^[a-z][\w+.-]*:(?!\d)/i.test(typed) ? typed : `http://${typed}`;
  const ruling = ruleOn({ method: 'Page.navigate', params: { url } }, { downloads: '' });
  if ('refused' in ruling) return `Operators ${ruling.refused}.`;
  const { errorText } = await session.send('Page.navigate', { url });
  return errorText === undefined ? undefined : `Cannot open the URL: ${errorText}.`;
}

async function go(session: Session, to: InputOf<'go'>['to']): Promise<void> {
  if (to === 'reload') {
    await session.send('Page.reload');
    return;
  }
  const { currentIndex, entries } = await session.send('Page.getNavigationHistory');
  const entry = entries[currentIndex + (to === 'back' ? -1 : 1)];
  if (entry) await session.send('Page.navigateToHistoryEntry', { entryId: entry.id });
}

async function press(session: Session, { event, key, code, keyCode, text, ...rest }: InputOf<'key'>): Promise<void> {
  const isWriting = event === 'keyDown' && text !== '';
  await session.send('Input.dispatchKeyEvent', {
    type: isWriting ? 'keyDown' : event === 'keyDown' ? 'rawKeyDown' : 'keyUp',
    key,
    code,
    windowsVirtualKeyCode: keyCode,
    modifiers: rest.modifiers,
    autoRepeat: rest.isRepeat,
    ...(isWriting ? { text } : {}),
  });
}

function withoutType<T extends { readonly type: string; readonly event?: string }>({
  type: _type,
  event: _event,
  ...rest
}: T): Omit<T, 'type' | 'event'> {
  return rest;
}
