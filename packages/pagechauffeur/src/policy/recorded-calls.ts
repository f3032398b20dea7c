import { canonicalMethod } from '../page/action/methods.ts';
import type { Names } from '../util/placeholders.ts';
import { isNamedIn } from './derived-text.ts';
import { recordedEntryFault } from './step-limits.ts';

/** What a tool may do to an element, and how its input says what it does it with. */
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

/** What was recorded of a call to a tool that does something to an element. */
export interface RecordedCall {
  readonly tool: string;
  readonly method: string;
  readonly arguments: readonly string[];
  /** Of its element; the name is the accessible one. */
  readonly role: string;
  readonly name: string;
}

/** The task that a record is replayed for. */
export interface RecordedTask {
  readonly instruction: string;
  readonly variables: Names;
}

/**
 * Why a recorded call is not replayed for a task without a model; null if it may be. A record may have been edited, so it may only use
 * the tool that it names, enter what the task says or leaves open, and do what cannot be undone only if the task mentions it.
 */
export function recordedCallFault(call: RecordedCall, { instruction, variables }: RecordedTask): string | null {
  const { tool, method, role, name } = call;
  const known = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
  const canonical = canonicalMethod(method) ?? '';
  if (!known?.methods.includes(canonical)) return `the tool ${tool} does no ${JSON.stringify(method)}`;
  const entry = { method, arguments: call.arguments, place: { role, name }, task: instruction, variables };
  const unsaid = recordedEntryFault(entry);
  if (unsaid !== null) return unsaid;
  const isPressed = tool === 'click' || tool === 'press';
  const [verb] = (isPressed && FINAL.exec(name)) || [];
  if (verb === undefined || isNamedIn(verb, instruction) || isNamedIn(name, instruction)) return null;
  return `the task does not speak of ${JSON.stringify(verb)}`;
}

/** The input of a recorded call as it will be carried out, whatever the record says of it. */
export function inputOfRecorded(call: RecordedCall): Readonly<Record<string, unknown>> {
  const known = Object.hasOwn(TOOLS, call.tool) ? TOOLS[call.tool] : undefined;
  return known?.inputOf?.(call.arguments) ?? {};
}

/** Buttons that take away, pay or give away, by the word that their name begins with. */
const FINAL =
  /^(?:delete|remove|erase|destroy|discard|wipe|deactivate|close account|cancel (?:order|subscription|account)|pay|buy|order|purchase|transfer|withdraw|donate|revoke|terminate|löschen|entfernen|bezahlen|kaufen|supprimer|payer|acheter|eliminar|pagar|comprar|elimina|paga|удалить|оплатить|купить|删除|支付|购买|削除|購入)(?![\p{L}\p{N}])/iu;
