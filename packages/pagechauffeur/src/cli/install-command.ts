import { parseArgs } from 'node:util';
import { isVersionName } from '../launch/browser-version.ts';
import { downloadBrowser, versionOf } from '../launch/download-browser.ts';
import { findBrowser, type Machine, thisMachine } from '../launch/find-browser.ts';
import { UsageError } from './usage-error.ts';

const MIRROR = 'CHAUFFEUR_DOWNLOAD_BASE_URL';

const USAGE = `npx pagechauffeur install [version]: downloads Chrome for Testing.

Without a version, downloads the current stable one unless Chromium or Chrome is already installed.
Prints the path of the browser to standard output and progress to standard error.

  version              stable, beta, dev, canary, 150, 150.0.7800 or 150.0.7800.12 of Chrome for Testing
  --force              download even if a browser is already installed
  --with-deps          also install system libraries (needs root on Debian or Ubuntu)
  --base-url <url>     a mirror to download from
  --help

Environment variables:

  CHAUFFEUR_CACHE_DIR          download folder, which drivers search too (default: ~/.cache/chauffeur)
  ${MIRROR}  the same as --base-url
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
`;

export interface CommandEnvironment {
  /** Writes to standard output, which only receives the browser path or the help text. */
  readonly print: (text: string) => void;
  /** Writes a line to standard error. */
  readonly tell: (line: string) => void;
  readonly machine?: Machine;
}

/**
 * Runs `npx pagechauffeur install`.
 * @throws UsageError for invalid arguments.
 * @throws DriverInitError if `CHROME_PATH` is invalid, the download fails or the browser does not start.
 */
export async function installCommand(words: readonly string[], surroundings: CommandEnvironment): Promise<void> {
  const { print, tell, machine = thisMachine() } = surroundings;
  const wanted = readArguments(words, machine.environment);
  if (wanted === undefined) return print(USAGE);
  const there = findBrowser(machine);
  if (there !== undefined && !wanted.isDownload) {
    const name = await versionOf(there);
    tell(`A browser is already installed${name ? `: ${name}` : ''}. Use --force to download another one.`);
    return print(`${there}\n`);
  }
  const executable = await downloadBrowser({ ...wanted, log: tell, machine });
  const taken = findBrowser(machine);
  if (taken !== executable)
    tell(`Drivers use ${taken}. To use the downloaded browser, set CHROME_PATH or pass \`executablePath\`.`);
  print(`${executable}\n`);
}

interface InstallArguments {
  readonly version: string;
  readonly mirror: string | undefined;
  readonly isForced: boolean;
  readonly withLibraries: boolean;
  /** True if the command continues even though a browser is already installed. */
  readonly isDownload: boolean;
}

/** Returns `undefined` for `--help`. */
function readArguments(words: readonly string[], environment: NodeJS.ProcessEnv): InstallArguments | undefined {
  const { values, positionals } = parsed(words);
  if (values.help) return undefined;
  const [version = 'stable', ...more] = positionals;
  if (more.length > 0) throw new UsageError(`Pass only one version. Received ${positionals.join(' and ')}.`);
  if (!isVersionName(version))
    throw new UsageError(
      `Unknown version ${JSON.stringify(version)}. Use stable, beta, dev, canary, 150 or 150.0.7800.12.`,
    );
  const { force: isForced, 'with-deps': withLibraries } = values;
  const mirror = mirrorOf('--base-url', values['base-url']) ?? mirrorOf(MIRROR, environment[MIRROR]);
  return { version, mirror, isForced, withLibraries, isDownload: isForced || withLibraries || positionals.length > 0 };
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        force: { type: 'boolean', default: false },
        'with-deps': { type: 'boolean', default: false },
        'base-url': { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Keep the first sentence of Node's message. The next ones are about arguments that start with a dash.
    const [said] = error.message.split(/\.\s/, 1);
    throw new UsageError(`${said}. Run \`npx pagechauffeur install --help\` for the options.`, { cause: error });
  }
}

function mirrorOf(name: string, address: string | undefined): string | undefined {
  if (!address) return undefined;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address.replace(/\/+$/, '');
  throw new UsageError(`${name} must be an http(s) URL, for example https://mirror.example/chrome-for-testing.`);
}
