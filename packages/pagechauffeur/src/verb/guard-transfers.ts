import type { PageTarget } from '../cdp/page-target.ts';
import { DriverVariableOriginError } from '../errors.ts';
import { heldInput } from '../actions/input/held-input.ts';
import { readClipboard } from '../page/context/clipboard.ts';
import type { VariableTable } from '../policy/variables.ts';
import { ignoreRejection } from '../util/deferred.ts';
import { placeholderOf, placeholdersIn } from '../util/placeholders.ts';
import type { Progress } from '../util/progress.ts';
import { withTimeout } from '../util/with-timeout.ts';
import type { VerbContext } from './verb-context.ts';

/** Maximum time in ms to wait for all frames. A frame that is still loading cannot receive text. */
const ANSWER_TIMEOUT_MS = 250;

/** Input that can move text from one document to another. */
export interface TransferInput {
  readonly keys?: readonly string[];
  /** True for a middle click, which pastes on Linux, and for each part of a drag, which can move selected text. */
  readonly isTransfer?: boolean;
}

interface InputCall {
  readonly progress: Progress;
  readonly context: VerbContext;
  readonly variables: VariableTable;
}

/**
 * Sends input so that bound variables stay in documents of their origins. Throws a `DriverVariableOriginError` if the
 * keys would paste a bound value. During a middle click or a drag, blocks pasting and dragging text in all frames.
 * Without bound variables, only sends the input.
 */
export async function guardTransfers<T>(
  call: InputCall,
  { keys = [], isTransfer = false }: TransferInput,
  send: () => Promise<T>,
): Promise<T> {
  const { context, variables } = call;
  const { target } = context.page;
  if (variables.boundNames.length === 0) return send();
  if (keys.some((combination) => pastes(combination, heldInput(target).modifiers))) await refuseBoundClipboard(call);
  if (!isTransfer) return send();
  await refuseTransfers(call.progress, target, true);
  try {
    return await send();
  } finally {
    await refuseTransfers(call.progress, target, false);
  }
}

/**
 * True for Ctrl+V, Shift+Insert and similar combinations. `held` is the bit mask of modifiers that are already pressed.
 */
function pastes(combination: string, held: number): boolean {
  const [key = '', ...modifiers] = combination.toLowerCase().split('+').toReversed();
  if (key === 'insert') return held !== 0 || modifiers.includes('shift');
  return key === 'paste' || ((key === 'v' || key === 'keyv') && (held !== 0 || modifiers.length > 0));
}

async function refuseBoundClipboard({ progress, context, variables }: InputCall): Promise<void> {
  const { page, mask } = context;
  const text = mask(await progress.race(readClipboard(page.target.connection)));
  const bound = new Set(variables.boundNames);
  const names = placeholdersIn(text, variables).filter((name) => bound.has(name));
  const [first] = names;
  if (first === undefined) return;
  const listed = names.map(placeholderOf).join(', ');
  throw new DriverVariableOriginError(
    `Cannot paste: the clipboard contains ${listed}, which is bound to origins. Use fill or type with the placeholder instead.`,
    { variable: first, origin: new URL(page.url()).origin, origins: variables.bindingOf(first)?.origins ?? [] },
  );
}

async function refuseTransfers(progress: Progress, { frames: { frames } }: PageTarget, isOn: boolean): Promise<void> {
  const answers = frames.map(async ({ worlds }) => (await worlds.isolated).call('refuseTransfers', isOn));
  // Fails in a frame without a document.
  const settled = answers.map((answer) => answer.catch(ignoreRejection));
  await progress.race(withTimeout(ANSWER_TIMEOUT_MS, Promise.all(settled)));
}
