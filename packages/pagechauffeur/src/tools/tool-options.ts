import type { Integration } from './mcp/integration.ts';
import type { OwnTool } from './custom/custom-tool.ts';

/** Which tools an agent has. */
export interface ToolOptions {
  /** Your own tools beside those of the library, by their names. */
  tools?: Readonly<Record<string, OwnTool>>;
  /** Servers of the Model Context Protocol whose tools are given to the model, too. */
  integrations?: readonly Integration[];
  /** Lets the model evaluate JavaScript in the page; default false. */
  allowEvaluate?: boolean;
}
