import { type AgentTask, type PlainTask, readJson, type TaskApplication } from '../agent-task.ts';
import { button, click, combobox, done, fill, select, textbox } from '../decision.ts';

interface Loan {
  readonly id: number;
  readonly toolId: string;
  readonly memberId: string;
  readonly days: number;
}

const tasks: readonly AgentTask[] = [
  {
    name: 'borrows a tool',
    instruction: 'Borrow the pasta roller for robin for 3 days.',
    isCompared: true,
    steps: [
      [click(button('POST /loans Borrow a tool'))],
      [click(button('Try it out'))],
      [fill(textbox(''), '{ "toolId": "pasta-roller", "memberId": "robin", "days": 3 }'), click(button('Execute'))],
      [done('Borrowed.')],
    ],
    outcome: async ({ url }) => {
      const loans = await readJson<Loan[]>(`${url}api/loans`);
      return loans.filter(({ memberId }) => memberId === 'robin').map(({ toolId, days }) => [toolId, days]);
    },
    expected: [['pasta-roller', 3]],
  },
  {
    name: 'returns a tool',
    instruction: 'Bring back the tool of loan 1.',
    isCompared: true,
    steps: [
      [click(button('DELETE /loans /{loanId} Bring a tool back'))],
      [click(button('Try it out'))],
      [fill(textbox('loanId'), '1'), click(button('Execute'))],
      [done('The tool is back.')],
    ],
    outcome: async ({ url }) => (await fetch(`${url}api/loans/1`)).status,
    expected: 404,
  },
  {
    name: 'reads the deposit of a tool',
    instruction: 'What is the deposit of the sewing machine? Ask for textile tools only.',
    isCompared: true,
    steps: [
      [click(button('GET /tools List the tools'))],
      [click(button('Try it out'))],
      [select(combobox('', { after: 'Only tools of this category' }), 'textile'), click(button('Execute'))],
      [done('The deposit is $1.', /"sewing-machine"[^]*?"deposit": (\d+)/)],
    ],
    outcome: async ({ url, message }) => {
      const [tool] = await readJson<{ deposit: number }[]>(`${url}api/tools?category=textile`);
      return message === `The deposit is ${tool?.deposit}.`;
    },
    expected: true,
  },
  {
    name: 'reads the name of a member from the last operation of the page',
    instruction: 'What is the full name of the member sam?',
    steps: [
      [click(button('GET /members /{memberId} Show a member'))],
      [click(button('Try it out'))],
      [fill(textbox('memberId'), 'sam'), click(button('Execute'))],
      [done('$1', /"name": "(Sam [^"]+)"/)],
    ],
    outcome: async ({ url, message }) => {
      const member = await readJson<{ name: string }>(`${url}api/members/sam`);
      return message === member.name;
    },
    expected: true,
  },
];

const plainTasks: readonly PlainTask[] = [
  {
    name: 'calls an operation',
    instruction:
      'Open "DELETE /loans /{loanId} Bring a tool back", click the "Try it out" button, type 2 into the loanId field, and click Execute.',
    outcome: async ({ url }) => (await fetch(`${url}api/loans/2`)).status,
    expected: 404,
  },
];

/** Folding operations, which are named by method and path. */
export const swaggerUi: TaskApplication = {
  name: 'Swagger UI',
  start: async () => (await import('../../../../../apps/start-swagger-ui.ts')).startSwaggerUi(),
  ready: '#model-Member',
  tasks,
  plainTasks,
};
