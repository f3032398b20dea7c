import type { RunningApp } from '../../../../../apps/running-app.ts';
import { type AgentTask, type PlainTask, readJson, type TaskApplication, type TaskPlace } from '../agent-task.ts';
import {
  button,
  check,
  click,
  combobox,
  done,
  element,
  fill,
  option,
  press,
  textbox,
  type Decision,
} from '../decision.ts';

const course = combobox('Course *');
const stains = check(element('checkbox', 'I know that clay stains *'));

function whoBooks(name: string, email: string): readonly Decision[] {
  return [fill(textbox('Your name *'), name), fill(textbox('E-mail *'), email)];
}

/** What the server keeps of the bookings of these people. */
const bookingsOf =
  (...emails: readonly string[]) =>
  async ({ url }: TaskPlace): Promise<unknown> => {
    const bookings = await readJson<{ email: string }[]>(`${url}api/bookings`);
    return bookings.filter(({ email }) => emails.includes(email));
  };

const tasks: readonly AgentTask[] = [
  {
    name: 'books a course for three people, with a reminder',
    instruction:
      'Book Hand building in the morning for three people, in the name of Mira Holt, mira@example.com. She wants a reminder and knows that clay stains.',
    steps: [
      [
        ...whoBooks('Mira Holt', 'mira@example.com'),
        fill(element('slider', 'People'), '3'),
        click(element('radio', 'Morning')),
        click(course),
      ],
      [click(option('Hand building')), check(element('switch', 'Send me a reminder')), stains, click(button('Book'))],
      [done('Booked.')],
    ],
    outcome: bookingsOf('mira@example.com'),
    expected: [
      {
        name: 'Mira Holt',
        email: 'mira@example.com',
        course: 'hand',
        time: 'morning',
        people: '3',
        reminder: 'on',
        terms: 'on',
        note: '',
        tools: [],
      },
    ],
  },
  {
    name: 'borrows tools with a course',
    instruction:
      'Book Wheel throwing for Sam Oduya, sam@example.com, and borrow an apron and a sponge. Sam knows that clay stains.',
    steps: [
      [...whoBooks('Sam Oduya', 'sam@example.com'), click(course)],
      [click(option('Wheel throwing')), click(combobox('Tools to borrow'))],
      [click(option('Apron')), click(option('Sponge')), press('Escape'), stains, click(button('Book'))],
      [done('Booked.')],
    ],
    outcome: async (place) => {
      const bookings = (await bookingsOf('sam@example.com')(place)) as { course: string; tools: readonly string[] }[];
      return bookings.map((booking) => [booking.course, booking.tools]);
    },
    expected: [['wheel', ['apron', 'sponge']]],
  },
  {
    name: 'books for two people, one after the other',
    instruction:
      'Book Glazing and firing for Ann, ann@example.com, and then for Ben, ben@example.com. Both know that clay stains.',
    steps: [
      [...whoBooks('Ann', 'ann@example.com'), click(course)],
      [click(option('Glazing and firing')), stains, click(button('Book'))],
      [...whoBooks('Ben', 'ben@example.com'), click(button('Book'))],
      [done('Both are booked.')],
    ],
    outcome: async (place) => {
      const bookings = (await bookingsOf('ann@example.com', 'ben@example.com')(place)) as {
        name: string;
        course: string;
      }[];
      return bookings.map((booking) => [booking.name, booking.course]);
    },
    expected: [
      ['Ann', 'glaze'],
      ['Ben', 'glaze'],
    ],
  },
  {
    name: 'writes a note and a password that it does not know',
    instruction:
      'Book Wheel throwing for Lou, lou@example.com, with the password %password% and the note "I am left-handed". Lou knows that clay stains.',
    variables: { password: 'wet clay, dry hands' },
    steps: [
      [
        ...whoBooks('Lou', 'lou@example.com'),
        fill(textbox('Password'), '%password%'),
        fill(textbox('Anything we should know?'), 'I am left-handed'),
        click(course),
      ],
      [click(option('Wheel throwing')), stains, click(button('Book'))],
      [done('Booked.')],
    ],
    outcome: async (place) => {
      const bookings = (await bookingsOf('lou@example.com')(place)) as { note: string }[];
      return bookings.map(({ note }) => note);
    },
    expected: ['I am left-handed'],
  },
];

const plainTasks: readonly PlainTask[] = [
  {
    name: 'fills in a form field by field',
    instruction:
      'Enter Kim as the name, enter kim@example.com in the e-mail field, write "I am left-handed" under anything we should know, click the Course combobox, click the Wheel throwing option, check "I know that clay stains", and click Book.',
    outcome: async (place) => {
      const bookings = (await bookingsOf('kim@example.com')(place)) as { name: string; course: string; note: string }[];
      return bookings.map(({ name, course: booked, note }) => [name, booked, note]);
    },
    expected: [['Kim', 'wheel', 'I am left-handed']],
  },
];

/** A form of web components, each with a shadow root of its own. */
export const shoelace: TaskApplication = {
  name: 'Shoelace pages',
  start: async (): Promise<RunningApp> => (await import('../../../../../apps/start-shoelace.ts')).startShoelace(),
  ready: 'sl-button[type=reset]',
  tasks,
  plainTasks,
};
