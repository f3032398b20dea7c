import { shoelace } from './applications/shoelace.ts';
import { swaggerUi } from './applications/swagger-ui.ts';
import { testTasks } from './test-tasks.ts';

testTasks([shoelace, swaggerUi]);
