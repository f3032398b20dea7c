import type { RunningApp } from '../../../../apps/running-app.ts';
import type { PageInstructions } from './instructions/instruction-case.ts';
import { nodeRed } from './instructions/node-red.ts';
import { shoelace } from './instructions/shoelace.ts';
import { swaggerUi } from './instructions/swagger-ui.ts';
import { tiddlywiki } from './instructions/tiddlywiki.ts';

/** An application, what users say to it, and how to know that it has drawn itself. */
export interface ApplicationInstructions extends PageInstructions {
  readonly start: () => Promise<RunningApp>;
  /** It is ready when this is on the page. */
  readonly ready: string;
}

/** Applications of other people, read live. */
export const applicationSet: readonly ApplicationInstructions[] = [
  {
    ...shoelace,
    ready: 'sl-button[type=reset] >> button',
    start: async () => (await import('../../../../apps/start-shoelace.ts')).startShoelace(),
  },
  {
    ...swaggerUi,
    ready: '#model-Member',
    start: async () => (await import('../../../../apps/start-swagger-ui.ts')).startSwaggerUi(),
  },
  {
    ...tiddlywiki,
    ready: 'a[href="#Order%20list"]',
    start: async () => (await import('../../../../apps/start-tiddlywiki.ts')).startTiddlywiki(),
  },
  {
    ...nodeRed,
    ready: '#red-ui-sidebar-debug-clear',
    start: async () => (await import('../../../../apps/start-node-red.ts')).startNodeRed(),
  },
];
