import type { Integration } from './mcp/integration.ts';
import type { OwnTool } from './custom/custom-tool.ts';

/** Options that add tools to an agent. */
export interface ToolOptions {
  /** Custom tools by name, in addition to the library's tools. */
  tools?: Readonly<Record<string, OwnTool>>;
  /** MCP servers whose tools the model can call. */
  integrations?: readonly Integration[];
  /** If true, the model can run JavaScript in the page. Default: false. */
  allowEvaluate?: boolean;
}
