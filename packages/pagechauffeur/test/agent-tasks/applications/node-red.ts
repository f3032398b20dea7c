import { type AgentTask, type PlainTask, readJson, type TaskApplication, type TaskPlace } from '../agent-task.ts';
import { button, click, done, element, fill, link, textbox } from '../decision.ts';

interface Thing {
  readonly id: string;
  readonly type: string;
  readonly label?: string;
  readonly name?: string;
  readonly disabled?: boolean;
}

const deploy = click(link('Deploy'));

/** What runs on the server. */
async function things({ url }: TaskPlace): Promise<readonly Thing[]> {
  return readJson<Thing[]>(`${url}flows`);
}

const IMPORTED = JSON.stringify([
  { id: 'night', type: 'tab', label: 'Night shift' },
  { id: 'bell', type: 'comment', z: 'night', name: 'Bell', info: '', x: 100, y: 80, wires: [] },
]);

const tasks: readonly AgentTask[] = [
  {
    name: 'renames a node and deploys',
    instruction: 'Rename the node Order log to Journal, and deploy.',
    steps: [
      [click(element('generic', 'Order log'), { twice: true })],
      [fill(textbox('Name'), 'Journal'), click(button('Done')), deploy],
      [done('Deployed.')],
    ],
    outcome: async (place) => (await things(place)).find(({ id }) => id === 'order-log')?.name,
    expected: 'Journal',
  },
  {
    name: 'renames a flow and deploys',
    instruction: 'Rename the flow Stock alarm to Shelf alarm, and deploy.',
    isCompared: true,
    steps: [
      [click(link('Stock alarm'), { twice: true })],
      [fill(textbox('Name'), 'Shelf alarm'), click(button('Done')), deploy],
      [done('Deployed.')],
    ],
    outcome: async (place) => (await things(place)).find(({ id }) => id === 'stock-alarm')?.label,
    expected: 'Shelf alarm',
  },
  {
    name: 'disables a flow and deploys',
    instruction: 'Disable the flow Order desk, and deploy.',
    isCompared: true,
    steps: [[click(button('Disable', { after: /clickable.* Order desk|- Order desk/ })), deploy], [done('Deployed.')]],
    outcome: async (place) => (await things(place)).find(({ id }) => id === 'order-desk')?.disabled,
    expected: true,
  },
  {
    name: 'imports a flow',
    instruction: `Import this flow, and deploy: ${IMPORTED}`,
    isCompared: true,
    steps: [
      [click(link('Main menu'))],
      [click(link('Import'))],
      [fill(textbox(''), IMPORTED), click(button('Import'))],
      [deploy],
      [done('Deployed.')],
    ],
    outcome: async (place) =>
      (await things(place)).filter(({ name, label }) => name === 'Bell' || label === 'Night shift').length,
    expected: 2,
  },
];

const plainTasks: readonly PlainTask[] = [
  {
    name: 'adds a flow and deploys',
    instruction: 'Click "Add flow", and click Deploy.',
    outcome: async (place) => (await things(place)).some(({ label }) => label?.startsWith('Flow ')),
    expected: true,
  },
];

/** An editor for flows on a canvas of SVG, with icon buttons. */
export const nodeRed: TaskApplication = {
  name: 'Node-RED',
  start: async () => (await import('../../../../../apps/start-node-red.ts')).startNodeRed(),
  ready: '#red-ui-sidebar-debug-clear',
  tasks,
  plainTasks,
};
