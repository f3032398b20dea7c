import { type DeclaredTool, declaredTools } from '../../cdp/declared-tools.ts';
import type { Page } from '../../page/page.ts';
import type { Progress } from '../../util/progress.ts';
import { isRecord } from '../../util/is-record.ts';

const MAX_TOOLS = 40;
const MAX_DESCRIPTION_LENGTH = 300;
const MAX_SCHEMA_LENGTH = 1000;

/** Reports the tools that pages declare, when they change. */
export class PageTools {
  readonly #reported = new WeakMap<Page, string>();

  /** Starts collecting the tools of a page, so that the list is ready once the page is read. */
  watch(page: Page): void {
    declaredTools(page.target);
  }

  /**
   * Returns lines to append to the page text. Empty if the tools have not changed. With `isWhole`, always lists them.
   */
  async changes(progress: Progress, page: Page, isWhole: boolean): Promise<string> {
    const tools = await declaredTools(page.target).list(progress);
    const lines = toolLines(tools);
    const before = this.#reported.get(page) ?? '';
    this.#reported.set(page, lines);
    if (lines === before && (!isWhole || lines === '')) return '';
    return lines === '' ? 'The page no longer declares tools.' : lines;
  }
}

/** Makes names unique: the second `search` becomes `search#2`. */
export function toolsByCallName(tools: readonly DeclaredTool[]): ReadonlyMap<string, DeclaredTool> {
  const byName = new Map<string, DeclaredTool>();
  for (const tool of tools.slice(0, MAX_TOOLS)) {
    let callName = tool.name;
    for (let number = 2; byName.has(callName); number += 1) callName = `${tool.name}#${number}`;
    byName.set(callName, tool);
  }
  return byName;
}

function toolLines(tools: readonly DeclaredTool[]): string {
  if (tools.length === 0) return '';
  const lines = [...toolsByCallName(tools)].map(([name, tool]) => toolLine(name, tool));
  return ['tools of the page; call them by act with the action pageTool, tool and input:', ...lines].join('\n');
}

function toolLine(name: string, { description, inputSchema, isConsequential, isForm, frame }: DeclaredTool): string {
  const words = description.replace(/\s+/g, ' ').slice(0, MAX_DESCRIPTION_LENGTH);
  const traits = [
    ...(isConsequential ? ['consequential'] : []),
    ...(isForm ? ['fills in a form'] : []),
    ...(frame.parent ? [`in the frame ${frame.url}`] : []),
  ];
  return ` ${[JSON.stringify(name), shapeOf(inputSchema), ...traits].join(' ')}: ${JSON.stringify(words)}`;
}

function shapeOf(schema: unknown): string {
  const shape = isRecord(schema) ? { properties: schema['properties'], required: schema['required'] } : {};
  return (JSON.stringify(shape) ?? '{}').slice(0, MAX_SCHEMA_LENGTH);
}
