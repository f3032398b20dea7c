import { nodeRed } from './applications/node-red.ts';
import { tiddlywiki } from './applications/tiddlywiki.ts';
import { verdaccio } from './applications/verdaccio.ts';
import { testTasks } from './test-tasks.ts';

testTasks([tiddlywiki, verdaccio, nodeRed]);
