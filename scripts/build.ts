/** Builds the packages: the injected script and the dashboard, then each `dist/` from scratch. */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildInjected } from './build-injected.ts';
import { buildViewer } from './build-viewer.ts';
import { removeUnreachableDeclarations } from './declarations.ts';
import { runCommand } from './run-command.ts';

const packagesFolder = fileURLToPath(new URL('../packages/', import.meta.url));

interface Package {
  readonly folder: string;
  /** Source files in `src/`, by their names in `dist/`. */
  readonly entries: Readonly<Record<string, string>>;
  /** Command-line programs. They share no chunks with the entries, so importing the library does not load more code. */
  readonly commands?: Readonly<Record<string, string>>;
}

/** In the order of their type dependencies. The watchdog is an entry, because it runs as a separate process. */
const packages: readonly Package[] = [
  {
    folder: 'pagechauffeur',
    entries: {
      index: 'index.ts',
      testing: 'testing.ts',
      internal: 'internal.ts',
      watchdog: 'launch/watchdog.ts',
    },
    commands: { main: 'cli/main.ts' },
  },
  { folder: 'platform', entries: { index: 'index.ts', main: 'main.ts' } },
];

const NODE_CHECK = 'require-node';

/** Node loads a few bundled files in half the time of hundreds. Dynamic imports stay separate. */
async function bundle(folder: string, entries: Package['entries']): Promise<void> {
  const source = `${packagesFolder}${folder}/src/`;
  const bundled = await rolldown({
    input: {
      ...Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, `${source}${path}`])),
      [NODE_CHECK]: `${packagesFolder}pagechauffeur/src/util/require-node.ts`,
    },
    platform: 'node',
    tsconfig: false,
    // The oldest supported Node.js does not know `using`. The bundler adds a helper.
    transform: { target: 'node22' },
    // Dependencies are not bundled.
    external: /^(?!@oxc-project\/runtime)[@a-z]/,
  });
  const dir = `${packagesFolder}${folder}/dist`;
  await bundled.write({
    dir,
    format: 'esm',
    chunkFileNames: '[name].js',
    comments: false,
    // Runs first, because the first import of a file is evaluated before all others.
    banner: ({ name, isEntry }) => (isEntry && name !== NODE_CHECK ? `import './${NODE_CHECK}.js';` : ''),
  });
  await bundled.close();
}

await Promise.all([buildInjected(), buildViewer()]);
for (const one of packages) {
  const folder = `${packagesFolder}${one.folder}/`;
  await rm(`${folder}dist`, { recursive: true, force: true });
  const [{ code, output }] = await Promise.all([
    runCommand('tsc', ['-p', `${folder}tsconfig.build.json`]),
    bundle(one.folder, one.entries),
    one.commands && bundle(one.folder, one.commands),
  ]);
  process.stdout.write(output);
  process.exitCode ||= code;
  if (code === 0) await removeUnreachableDeclarations(folder);
}
