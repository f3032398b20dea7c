import type { Integration } from './mcp/integration.ts';
import type { OwnTool } from './custom/custom-tool.ts';

/** Options for the tools of an agent. */
export interface ToolOptions {
  /** Custom tools by name, in addition to those of the library. */
  tools?: Readonly<Record<string, OwnTool>>;
  /** MCP servers whose tools the model also receives. */
  integrations?: readonly Integration[];
  /** Lets the model run JavaScript in the page; default false. */
  allowEvaluate?: boolean;
}
