import { type DeclaredTool, declaredTools } from '../../cdp/declared-tools.ts';
import type { Page } from '../../page/page.ts';
import type { Progress } from '../../util/progress.ts';
import { isRecord } from '../../util/is-record.ts';

/** A page that declares more is told of with the first. */
const MOST_TOOLS = 40;
/** Characters of a tool's description and of its schema that are told. */
const LONGEST_WORDS = 300;
const LONGEST_SCHEMA = 1000;

/** What one reader, such as the model of an agent, was told of the tools that pages declare. */
export class PageTools {
  readonly #reported = new WeakMap<Page, string>();

  /** Asks for the tools of a page, so that they are known when it has been looked at. */
  watch(page: Page): void {
    declaredTools(page.target);
  }

  /** Lines about the tools of a page; empty when they are as they were told, or with `isWhole` when there are none. */
  async news(progress: Progress, page: Page, isWhole: boolean): Promise<string> {
    const tools = await declaredTools(page.target).list(progress);
    const lines = toolLines(tools);
    const before = this.#reported.get(page) ?? '';
    this.#reported.set(page, lines);
    if (lines === before && (!isWhole || lines === '')) return '';
    return lines === '' ? 'The page offers no tools any more.' : lines;
  }
}

/** The tools of a page by the names that a model calls them by: of several with one name the later ones have a number. */
export function toolsByCallName(tools: readonly DeclaredTool[]): ReadonlyMap<string, DeclaredTool> {
  const byName = new Map<string, DeclaredTool>();
  for (const tool of tools.slice(0, MOST_TOOLS)) {
    let callName = tool.name;
    for (let number = 2; byName.has(callName); number += 1) callName = `${tool.name}#${number}`;
    byName.set(callName, tool);
  }
  return byName;
}

function toolLines(tools: readonly DeclaredTool[]): string {
  if (tools.length === 0) return '';
  const lines = [...toolsByCallName(tools)].map(([name, tool]) => toolLine(name, tool));
  return ['tools that the page offers, to be called by act with the action pageTool, tool and input:', ...lines].join(
    '\n',
  );
}

function toolLine(name: string, { description, inputSchema, isConsequential, isForm, frame }: DeclaredTool): string {
  const words = description.replace(/\s+/g, ' ').slice(0, LONGEST_WORDS);
  const traits = [
    ...(isConsequential ? ['consequential'] : []),
    ...(isForm ? ['fills in a form'] : []),
    ...(frame.parent ? [`of the frame ${frame.url}`] : []),
  ];
  return ` ${[JSON.stringify(name), shapeOf(inputSchema), ...traits].join(' ')}: ${JSON.stringify(words)}`;
}

/** The properties of an input, which are what matters of its schema. */
function shapeOf(schema: unknown): string {
  const shape = isRecord(schema) ? { properties: schema['properties'], required: schema['required'] } : {};
  return (JSON.stringify(shape) ?? '{}').slice(0, LONGEST_SCHEMA);
}
