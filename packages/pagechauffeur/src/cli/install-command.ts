import { parseArgs } from 'node:util';
import { isVersionName } from '../launch/browser-version.ts';
import { downloadBrowser, versionOf } from '../launch/download-browser.ts';
import { findBrowser, type Machine, thisMachine } from '../launch/find-browser.ts';
import { UsageError } from './usage-error.ts';

const MIRROR = 'CHAUFFEUR_DOWNLOAD_BASE_URL';

/** Printed by `npx pagechauffeur install --help`. */
const USAGE = `npx pagechauffeur install [version]: downloads a browser for drivers.

Without a version, it downloads the current stable one, unless this machine already has a Chromium or Chrome.
It prints the path of the browser to standard output, and everything else to standard error.

  version              stable, beta, dev, canary, 150, 150.0.7800 or 150.0.7800.12 of Chrome for Testing
  --force              download an installed version again
  --with-deps          also install required system libraries (root on Debian or Ubuntu)
  --base-url <url>     a mirror to download from
  --help

Environment variables:

  CHAUFFEUR_CACHE_DIR          folder to download into, for drivers too (~/.cache/chauffeur)
  ${MIRROR}  the same as --base-url
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
`;

/** Where a command runs, and where its output goes. */
export interface CommandEnvironment {
  /** Prints the result to standard output. */
  readonly print: (text: string) => void;
  /** Prints progress to standard error. */
  readonly tell: (line: string) => void;
  readonly machine?: Machine;
}

/**
 * Runs `npx pagechauffeur install`.
 * @throws DriverInitError if no browser is installed in the end.
 */
export async function installCommand(words: readonly string[], surroundings: CommandEnvironment): Promise<void> {
  const { print, tell, machine = thisMachine() } = surroundings;
  const wanted = readWords(words, machine.environment);
  if (wanted === undefined) return print(USAGE);
  const there = findBrowser(machine);
  if (there !== undefined && !wanted.isDownload) {
    const name = await versionOf(there);
    tell(`A browser is already installed${name ? `: ${name}` : ''}. Use --force to download another one.`);
    return print(`${there}\n`);
  }
  const executable = await downloadBrowser({ ...wanted, log: tell, machine });
  const taken = findBrowser(machine);
  tell('Checked that it starts.');
  if (taken !== executable)
    tell(`The driver uses ${taken}. To use this one, set CHROME_PATH or pass \`executablePath\`.`);
  print(`${executable}\n`);
}

interface InstallArguments {
  readonly version: string;
  readonly mirror: string | undefined;
  readonly isForced: boolean;
  readonly withLibraries: boolean;
  /** True if the options ask for a download even if a browser is installed. */
  readonly isDownload: boolean;
}

/** Returns `undefined` if the user asked for help. */
function readWords(words: readonly string[], environment: NodeJS.ProcessEnv): InstallArguments | undefined {
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
    // Node's further sentences explain arguments that begin with a dash.
    const [said] = error.message.split(/\.\s/, 1);
    throw new UsageError(`${said}. Run \`npx pagechauffeur install --help\` for the options.`, { cause: error });
  }
}

function mirrorOf(name: string, address: string | undefined): string | undefined {
  if (!address) return undefined;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address.replace(/\/+$/, '');
  throw new UsageError(`${name} must be an http(s) URL, for example https://mirror.example/chrome-for-testing.`);
}
