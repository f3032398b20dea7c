// Prepares a checkout: installs the packages with the repository's own Node.js, builds, and finds a browser. Then runs
// a script with that Node.js:
//
//   node scripts/setup.mjs [--tests] [--apps] [--unbuilt] [script.ts [its arguments …]]
//
// --tests also installs what tests need, --apps only the applications for tests; --unbuilt skips the build.
//
// Must run on Node.js 20 before anything is installed, so it is plain JavaScript and imports only `node:` modules. It
// starts the script itself, because a shell with `&&` would remember the old path of `node`.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const isWindows = process.platform === 'win32';
const repoNode = join(root, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node');
const stampFolder = join(root, 'node_modules/.cache/chauffeur');
const buildInputs = [
  'packages/pagechauffeur/src',
  'packages/pagechauffeur/package.json',
  'packages/pagechauffeur/tsconfig.build.json',
  'packages/platform/src',
  'packages/platform/package.json',
  'packages/platform/tsconfig.build.json',
  'scripts/build.ts',
  'scripts/build-injected.ts',
  'scripts/build-viewer.ts',
  'scripts/write-if-changed.ts',
  'tsconfig.base.json',
  'package-lock.json',
];
// Debian packages that some tests need, each with a path that exists once it is installed: large real pages, the
// browser for most tests, chromedriver for Grids, the databases, and `unzip` for downloaded browsers.
const testPackages = {
  'sqlite3-doc': '/usr/share/doc/sqlite3-doc',
  'python3-doc': '/usr/share/doc/python3-doc',
  'chromium-headless-shell': '/usr/lib/chromium/chromium-headless-shell',
  'chromium-driver': '/usr/bin/chromedriver',
  postgresql: '/usr/bin/pg_createcluster',
  'redis-server': '/usr/bin/redis-server',
  unzip: '/usr/bin/unzip',
};
const NPM_ADVICE = 'npm needs its package registry: check the network, and `npm config get registry`.';
const npmFlags = ['--no-audit', '--no-fund', '--loglevel=error'];

const { forTests, withApps, isUnbuilt, script, scriptArguments } = readArguments(process.argv.slice(2));
const environment = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}` };

await prepare();
// The script's folder may have its own packages, for example `bench/`.
if (script) installPackages(dirname(script));
if (script) run([script, ...scriptArguments]);

/** @param {readonly string[]} words */
function readArguments(words) {
  const flags = words.slice(0, words.findIndex((word) => !word.startsWith('--')) >>> 0);
  const [first, ...rest] = words.slice(flags.length);
  return {
    forTests: flags.includes('--tests'),
    withApps: flags.includes('--tests') || flags.includes('--apps'),
    isUnbuilt: flags.includes('--unbuilt'),
    script: first,
    scriptArguments: rest,
  };
}

async function prepare() {
  // npm mostly waits for its registry, so both installations run at the same time.
  const apps = withApps && !isInstalled('apps') ? startInstall('apps') : undefined;
  installTools();
  if (!isUnbuilt) build();
  findBrowser();
  if (forTests) installTestPackages();
  await apps?.done;
}

/** Installs the packages of the repository. The package `node` downloads Node.js 24 in its preinstall script. */
function installTools() {
  if (existsSync(repoNode) && isInstalled('.')) return;
  install('.', 'the packages', ['--ignore-scripts=false']);
  if (!existsSync(repoNode))
    fail('npm installed no Node.js 24 in node_modules/node. Run `npm ci --ignore-scripts=false` and read its output.');
}

/**
 * Installs the packages of a folder that has its own lock file.
 * @param {string} folder
 */
function installPackages(folder) {
  if (existsSync(join(root, folder, 'package-lock.json')) && !isInstalled(folder))
    install(folder, `the packages of ${folder}/`);
}

/**
 * Starts `npm ci` in a folder. `done` resolves when it has ended; if it failed, setup ends with its output.
 * @param {string} folder
 */
function startInstall(folder) {
  checkNpm();
  const start = performance.now();
  const title = `installing the packages of ${folder}/`;
  say(`${title} …`);
  const child = spawn('npm', ['ci', ...npmFlags], {
    cwd: join(root, folder),
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
  });
  // If another step fails, this process exits and must not leave npm behind.
  process.on('exit', () => child.kill());
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  /** @type {Promise<void>} */
  const done = new Promise((resolveDone) => {
    const end = (/** @type {boolean} */ isInstalledNow) => {
      if (!isInstalledNow) {
        process.stderr.write(output);
        fail(`${title} failed. ${NPM_ADVICE}`);
      }
      say(`${title}: done in ${seconds(start)}`);
      resolveDone();
    };
    child.on('error', () => end(false));
    child.on('exit', (code) => end(code === 0));
  });
  return { done };
}

/**
 * @param {string} folder
 * @param {string} what
 * @param {readonly string[]} [flags]
 */
function install(folder, what, flags = []) {
  checkNpm();
  step(`installing ${what}`, 'npm', ['ci', ...npmFlags, ...flags], {
    folder,
    advice: NPM_ADVICE,
  });
}

function checkNpm() {
  if (runQuietly('npm', ['--version']).status !== 0)
    fail('npm was not found on PATH. Install Node.js 20 or newer together with its npm, then run this again.');
}

/**
 * True if all packages have the versions of the lock file. Ignores optional and peer packages.
 * @param {string} folder
 */
function isInstalled(folder) {
  const installedFile = join(root, folder, 'node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = lockedPackages(installedFile);
  return Object.entries(lockedPackages(join(root, folder, 'package-lock.json'))).every(
    ([path, { optional, peer, version }]) => !path || optional || peer || installed[path]?.version === version,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, peer?: boolean }>}
 */
function lockedPackages(file) {
  const text = readFileSync(file, 'utf8');
  return /** @type {{ packages: ReturnType<typeof lockedPackages> }} */ (JSON.parse(text)).packages;
}

/** Builds the packages if a source has changed since the last build, or if a `dist/` is missing. */
function build() {
  const inputs = fingerprint(buildInputs);
  if (
    readStamp('build') === inputs &&
    ['pagechauffeur', 'platform'].every((name) => existsSync(join(root, 'packages', name, 'dist')))
  )
    return;
  step('building', repoNode, ['scripts/build.ts'], { advice: 'Correct the errors above.' });
  writeStamp('build', inputs);
}

/** @param {readonly string[]} paths */
function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of paths) for (const line of describe(join(root, path))) hash.update(line);
  return hash.digest('hex');
}

/**
 * Returns path, size and modification time of every file at or below a path, except in `generated` folders.
 * @param {string} path
 * @returns {string[]}
 */
function describe(path) {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts) return [];
  if (!facts.isDirectory()) return [`${path} ${facts.size} ${facts.mtimeMs}\n`];
  return readdirSync(path)
    .filter((name) => name !== 'generated')
    .flatMap((name) => describe(join(path, name)));
}

/** Finds a Chromium, or installs one as the library does. */
function findBrowser() {
  const known = readStamp('browser');
  if (!process.env.CHROME_PATH && known && existsSync(known)) return;
  const { stdout } = step('', repoNode, ['scripts/ensure-browser.ts'], {
    isQuiet: true,
    advice: 'Without a browser nothing can be run.',
  });
  writeStamp('browser', stdout.trim());
}

/** Installs missing Debian packages, as root and with apt-get only. Without them, some tests are skipped. */
function installTestPackages() {
  const missing = Object.entries(testPackages).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
  if (
    missing.length === 0 ||
    process.platform !== 'linux' ||
    process.getuid?.() !== 0 ||
    !existsSync('/usr/bin/apt-get')
  )
    return;
  const start = performance.now();
  // Slim images configure dpkg to skip documentation, but some of these packages contain nothing else.
  const withDocumentation = ['-o', 'Dpkg::Options::=--path-include=/usr/share/doc/*'];
  const installation = ['install', '-y', '--no-install-recommends', ...withDocumentation];
  runQuietly('apt-get', ['-qq', 'update']);
  // One by one, so that a failed installation does not block the others.
  for (const name of missing)
    if (runQuietly('apt-get', ['-qq', ...installation, name]).status === 0)
      say(`installed ${name} (${seconds(start)})`);
    else say(`${name} could not be installed by apt-get; the tests that need it are skipped`);
}

/**
 * Runs a command. Logs its title and duration unless `isQuiet` is set. If it fails, logs the advice and exits.
 * @param {string} title
 * @param {string} command
 * @param {readonly string[]} words
 * @param {{ folder?: string, advice: string, isQuiet?: boolean }} options
 */
function step(title, command, words, { folder = '.', advice, isQuiet = false }) {
  const start = performance.now();
  if (!isQuiet) say(`${title} …`);
  const result = isQuiet
    ? spawnSync(command, words, { cwd: root, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    : runQuietly(command, words, folder);
  if (result.status !== 0) {
    if (!isQuiet) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
    fail(`${title ? `${title} failed. ` : ''}${advice}`);
  }
  if (!isQuiet) say(`${title}: done in ${seconds(start)}`);
  return result;
}

/**
 * @param {string} command
 * @param {readonly string[]} words
 */
function runQuietly(command, words, folder = '.') {
  const env = { ...environment, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, words, {
    cwd: join(root, folder),
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 << 20,
    shell: isWindows && command === 'npm',
  });
}

/**
 * Runs the script in this terminal. Exits with its exit code, or by SIGKILL if a signal ended the script.
 * @param {readonly string[]} words
 */
function run(words) {
  const child = spawn(repoNode, words, { cwd: root, env: environment, stdio: 'inherit' });
  // Ctrl+C also reaches the script, which then exits by itself. This process waits for it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, 'SIGKILL') : process.exit(code ?? 1)));
}

/** @param {string} name */
function readStamp(name) {
  const file = join(stampFolder, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * @param {string} name
 * @param {string} text
 */
function writeStamp(name, text) {
  mkdirSync(stampFolder, { recursive: true });
  writeFileSync(join(stampFolder, name), text);
}

/** @param {number} start */
function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`setup: ${line}\n`);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  say(message);
  if (forTests) process.stdout.write('0 passed, 1 failed\n');
  process.exit(1);
}
