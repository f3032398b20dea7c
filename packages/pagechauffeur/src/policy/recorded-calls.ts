import { canonicalMethod } from '../actions/methods.ts';
import type { Names } from '../util/placeholders.ts';
import { isNamedIn } from './derived-text.ts';
import { recordedEntryFault } from './step-limits.ts';

/** The methods of an element tool and how its input states the arguments. */
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

/** A recorded call of an element tool. */
export interface RecordedCall {
  readonly tool: string;
  readonly method: string;
  readonly arguments: readonly string[];
  /** Role of the element. `name` is its accessible name. */
  readonly role: string;
  readonly name: string;
}

/** The task that a record is replayed for. */
export interface RecordedTask {
  readonly instruction: string;
  readonly variables: Names;
}

/**
 * Returns the reason not to replay a recorded call without a model, or `null` if it may run. Someone may have edited the record. So a call
 * may only use the tool that it names, enter values that the task states or leaves open, and do irreversible things that the task mentions.
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

/** The input that will be used for a recorded call, whatever the record claims. */
export function inputOfRecorded(call: RecordedCall): Readonly<Record<string, unknown>> {
  const known = Object.hasOwn(TOOLS, call.tool) ? TOOLS[call.tool] : undefined;
  return known?.inputOf?.(call.arguments) ?? {};
}

/** Buttons that delete, pay or give away, by the first word of their name. */
const FINAL =
  /^(?:delete|remove|erase|destroy|discard|wipe|deactivate|close account|cancel (?:order|subscription|account)|pay|buy|order|purchase|transfer|withdraw|donate|revoke|terminate|löschen|entfernen|bezahlen|kaufen|supprimer|payer|acheter|eliminar|pagar|comprar|elimina|paga|удалить|оплатить|купить|删除|支付|购买|削除|購入)(?![\p{L}\p{N}])/iu;
