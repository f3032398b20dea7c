import { shop } from './applications/shop.ts';
import { testTasks } from './test-tasks.ts';

testTasks([shop]);
