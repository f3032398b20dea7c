import { canonicalMethod } from '../actions/methods.ts';
import { placeholdersIn } from '../util/placeholders.ts';
import { namesAddress } from './named-address.ts';
import { type KeptStep, type RecordedEntry, recordedEntryFault } from './step-limits.ts';
import { namesSite, siteOf } from './variable-origins.ts';

/** The methods that a recorded call of a tool may use. `inputOf` builds the tool's input from recorded arguments. */
interface ElementTool {
  readonly methods: readonly string[];
  readonly inputOf?: (args: readonly string[]) => Readonly<Record<string, unknown>>;
}

const TOOLS: Readonly<Record<string, ElementTool>> = {
  click: { methods: ['click', 'doubleClick', 'rightClick', 'middleClick'] },
  fill: { methods: ['fill'], inputOf: ([text]) => ({ text }) },
  type: { methods: ['type'], inputOf: ([text]) => ({ text }) },
  edit: {
    methods: ['replace', 'insert', 'append'],
    inputOf: (args) => (args.length > 1 ? { find: args[0], text: args[1] } : { text: args[0] }),
  },
  press: { methods: ['press'], inputOf: ([keys]) => ({ keys }) },
  select: { methods: ['select'], inputOf: (options) => ({ options }) },
  check: { methods: ['check', 'uncheck'] },
  upload: { methods: ['upload'], inputOf: (paths) => ({ paths }) },
  hover: { methods: ['hover'] },
  drag: { methods: ['dragAndDrop'] },
  scroll: { methods: ['nextChunk', 'prevChunk', 'scrollTo'] },
};

/** A recorded call of a tool that acts on an element. */
export interface RecordedCall {
  readonly tool: string;
  readonly method: string;
  readonly arguments: readonly string[];
  /** ARIA role of the element. `name` is its accessible name. */
  readonly role: string;
  readonly name: string;
}

export interface RecordedTask extends Pick<RecordedEntry, 'variables' | 'page'> {
  readonly instruction: string;
}

/**
 * Returns why a recorded call must not be replayed without a model, or `null` if it can be. Someone may have edited the
 * recording. So the call can only use methods of its tool, enter values that the task states or leaves open, and do
 * irreversible things that the task mentions.
 */
export async function recordedCallFault(call: RecordedCall, task: RecordedTask): Promise<string | null> {
  const { tool, method, role, name } = call;
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  const canonical = canonicalMethod(method) ?? '';
  if (!known?.methods.includes(canonical)) return `the tool ${tool} has no action ${JSON.stringify(method)}`;
  const entered = { method, arguments: call.arguments, place: { role, name } };
  const isPressed = tool === 'click' || tool === 'press';
  return (await unmentionedEntry(entered, task)) ?? (isPressed ? unmentionedIrreversible(name, task) : null);
}

/** A recorded call of a tool without an element, such as `press` or `navigate`. */
export interface RecordedToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Role and name of the focused element, such as `button "Save"`. Undefined if the recording does not contain it. */
  readonly focused: string | undefined;
  /** URL of the current page. */
  readonly openUrl: string;
  /** True if the page contains the URL that the call opens. */
  readonly isAddressShown: boolean;
}

/**
 * Like {@link recordedCallFault}, for a call without an element. The task must support the keys or the text for a
 * dialog. If the focused element deletes or pays, the task must ask for that. A URL must be on the page, or be of a
 * site that is open or that the task names.
 */
export async function recordedToolFault(call: RecordedToolCall, task: RecordedTask): Promise<string | null> {
  const { tool, focused } = call;
  const { keys, text, url } = call.input;
  if (tool === 'press' && focused === undefined) return 'the recording does not say which element had the focus';
  const name = focused?.replace(/^[^"]*/, '').replace(/^"|"$/g, '') ?? '';
  const place = { role: '', name };
  if (typeof keys === 'string')
    return (
      (await unmentionedEntry({ method: 'press', arguments: [keys], place }, task)) ??
      unmentionedIrreversible(name, task)
    );
  if (typeof text === 'string' && tool === 'dialog')
    return unmentionedEntry({ method: 'type', arguments: [text], place }, task);
  return typeof url === 'string' && !call.isAddressShown ? unmentionedAddress(url, call, task) : null;
}

function unmentionedEntry(kept: KeptStep, { instruction, variables, page }: RecordedTask): Promise<string | null> {
  return recordedEntryFault({ ...kept, task: instruction, variables, page });
}

function unmentionedAddress(
  url: string,
  { openUrl }: RecordedToolCall,
  { instruction, variables }: RecordedTask,
): string | null {
  const isOfUser = placeholdersIn(url, variables).length > 0 || namesAddress(instruction, url);
  if (isOfUser || url === 'about:blank' || namesSite(instruction, url)) return null;
  const site = siteOf(url);
  return site !== undefined && site === siteOf(openUrl) ? null : `the task does not name the URL ${url}`;
}

function unmentionedIrreversible(name: string, { instruction }: RecordedTask): string | null {
  const end = IRREVERSIBLE.find(({ names }) => names.test(name));
  return !end || end.tasks.test(instruction)
    ? null
    : `the task does not ask for ${JSON.stringify(name)}, which may be irreversible`;
}

/** Returns the tool input for a replay. Only the checked arguments are used, never the recorded input. */
export function inputOfRecorded(call: RecordedCall): Readonly<Record<string, unknown>> {
  const known = Object.hasOwn(TOOLS, call.tool) ? TOOLS[call.tool] : undefined;
  return known?.inputOf?.(call.arguments) ?? {};
}

/** Matches names that contain one of these alternatives as a whole word. */
function anyOf(words: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`, 'iu');
}

const DESTROYS =
  'delet(?:e|es|ing)|remov(?:e|es|ing)|erase|destroy|discard|wipe|deactivate|close (?:my )?account|cancel (?:my )?(?:order|subscription|account)|' +
  'revoke|terminate|unsubscribe|löschen|entfernen|supprimer|eliminar|elimina|удалить|删除|削除';
const PAYS =
  'pay|buy|purchase|transfer|withdraw|donate|(?:place|submit|confirm|complete|send) (?:the |my )?order|bezahlen|kaufen|payer|acheter|' +
  'pagar|comprar|paga|оплатить|купить|支付|购买|購入';

/** Irreversible actions: names of buttons that delete or pay, and the words with which a task allows these actions. */
const IRREVERSIBLE: readonly { readonly names: RegExp; readonly tasks: RegExp }[] = [
  {
    names: anyOf(DESTROYS),
    tasks: anyOf(`${DESTROYS}|clear|clean up|drop|get rid|cancel|lösche|entferne|supprime|borra`),
  },
  {
    names: anyOf(`${PAYS}|(?<=^\\s*)order`),
    tasks: anyOf(`${PAYS}|order|check ?out|book|subscribe|send|bezahle|kaufe|bestell\\p{L}*|paye|achète|paga|compra`),
  },
];
