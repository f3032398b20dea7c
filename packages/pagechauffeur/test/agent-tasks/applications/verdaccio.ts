import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentTask, readJson, type TaskApplication, type TaskPlace } from '../agent-task.ts';
import { back, button, click, done, download, fill, link, tab, textbox, waitFor } from '../decision.ts';

/** What the registry answers to somebody who signs in as npm does. */
async function signIn({ url }: TaskPlace, name: string, password: string): Promise<number> {
  const response = await fetch(`${url}-/user/org.couchdb.user:${name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${name}:${password}`)}` },
    body: JSON.stringify({ name, password }),
  });
  return response.status;
}

/** Opens a package; its view comes after a moment in which the page is empty. */
const openTideTables: AgentTask['steps'] = [[click(link('tide-tables'))], [waitFor('npm install tide-tables')]];

const tasks: readonly AgentTask[] = [
  {
    name: 'reads the version of a dependency',
    instruction: 'Which version of moon-phase does the package tide-tables ask for?',
    steps: [...openTideTables, [click(tab('DEPENDENCIES'))], [done('It asks for $1.', /moon-phase: (\^[\d.]+)/)]],
    outcome: async ({ url, message }) => {
      const { versions } = await readJson<{ versions: Record<string, { dependencies: Record<string, string> }> }>(
        `${url}tide-tables`,
      );
      return message === `It asks for ${versions['2.0.3']?.dependencies['moon-phase']}.`;
    },
    expected: true,
  },
  {
    name: 'reads a value from a readme',
    instruction: 'What is the free licence key of tide-tables?',
    steps: [...openTideTables, [done('$1', /The free key is ([\w-]+)/)]],
    outcome: async ({ url, message }) => {
      const { readme } = await readJson<{ readme: string }>(`${url}tide-tables`);
      return readme.includes(`\`${message}\``);
    },
    expected: true,
  },
  {
    name: 'downloads an older version of a package',
    instruction: 'Download the tarball of version 1.1.0 of tide-tables.',
    steps: [
      ...openTideTables,
      [click(tab('VERSIONS'))],
      [click(link('1.1.0'))],
      [click(button('Download tarball')), download()],
      [done('Downloaded.')],
    ],
    outcome: async ({ url, downloads }) => {
      const response = await fetch(`${url}tide-tables/-/tide-tables-1.1.0.tgz`);
      const published = Buffer.from(await response.arrayBuffer());
      const files = await readdir(downloads);
      const contents = await Promise.all(files.map((file) => readFile(join(downloads, file))));
      return contents.some((content) => content.equals(published));
    },
    expected: true,
  },
  {
    name: 'signs in, goes back and changes a password',
    instruction: 'Sign in as robin on the start page, come back here and change the password from %old% to %new%.',
    variables: { old: 'low-tide-42', new: 'spring-tide-43' },
    start: '-/web/change-password',
    steps: [
      [click(link(''))],
      [click(button('LOGIN'))],
      [fill(textbox('Username'), 'robin'), fill(textbox('Password'), '%old%')],
      [click(button('LOGIN', { after: 'textbox "Password"' }))],
      [back()],
      [
        fill(textbox('Username'), 'robin'),
        fill(textbox('Current Password'), '%old%'),
        fill(textbox('New Password'), '%new%'),
        fill(textbox('Confirm New Password'), '%new%'),
      ],
      [click(button('CHANGE PASSWORD'))],
      [done('The password is changed.')],
    ],
    outcome: async (place) => [
      await signIn(place, 'robin', 'spring-tide-43'),
      await signIn(place, 'robin', 'low-tide-42'),
    ],
    expected: [201, 401],
  },
];

/** A registry of packages whose page loads its views when they are asked for. */
export const verdaccio: TaskApplication = {
  name: 'Verdaccio',
  start: async () => (await import('../../../../../apps/start-verdaccio.ts')).startVerdaccio(),
  ready: 'a[href*=tide-tables], form',
  tasks,
};
