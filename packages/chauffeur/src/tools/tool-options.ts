import type { ToolSet } from 'ai';
import type { Integration } from './mcp/integration.ts';

/** Which tools an agent has. */
export interface ToolOptions {
  /** Your own tools beside those of the library, by their names, as `tool()` of the AI SDK makes them. */
  tools?: ToolSet;
  /** Servers of the Model Context Protocol whose tools are given to the model, too. */
  integrations?: readonly Integration[];
  /** Lets the model evaluate JavaScript in the page; default false. */
  allowEvaluate?: boolean;
}
