import type { TaskApplication } from './agent-task.ts';
import { nodeRed } from './applications/node-red.ts';
import { shoelace } from './applications/shoelace.ts';
import { shop } from './applications/shop.ts';
import { swaggerUi } from './applications/swagger-ui.ts';
import { tiddlywiki } from './applications/tiddlywiki.ts';
import { verdaccio } from './applications/verdaccio.ts';

/** All applications that agents have tasks on. */
export const applications: readonly TaskApplication[] = [shop, shoelace, swaggerUi, tiddlywiki, verdaccio, nodeRed];
