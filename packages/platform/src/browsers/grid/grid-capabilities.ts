import { browserArguments, RENTED_PREFERENCES } from 'pagechauffeur/internal';
import type { BrowserRequest } from '../browser-backend.ts';
import { BROWSER_NAME, NAME_CAPABILITY } from './grid-answers.ts';

/** Arguments that chromedriver sets: its connection to the browser, and the profile folder. */
const DRIVERS_ARGUMENTS = ['--remote-debugging-port=', '--user-data-dir='];

/**
 * Capabilities for a Grid: the browser that this machine would start, with a name to find it again. The
 * node decides about the executable and the sandbox.
 */
export function gridCapabilities(
  { viewport, userAgent, ignoreHTTPSErrors }: BrowserRequest,
  { name, proxyServer }: { readonly name: string; readonly proxyServer: string | undefined },
): object {
  const args = browserArguments({
    headless: true,
    port: undefined,
    args: [
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      ...(userAgent === undefined ? [] : [`--user-agent=${userAgent}`]),
    ],
    ignoreDefaultArgs: ['--remote-allow-origins=*'],
    userDataDir: '',
    viewport,
    devtools: false,
    // Without this bypass rule, a browser reaches its own machine directly.
    proxy: proxyServer === undefined ? undefined : { server: proxyServer, bypass: '<-loopback>' },
    ignoreHTTPSErrors,
    domainPolicy: undefined,
    isRoot: false,
  });
  return {
    browserName: BROWSER_NAME,
    [NAME_CAPABILITY]: name,
    pageLoadStrategy: 'none',
    // The clients answer dialogs, not chromedriver.
    unhandledPromptBehavior: 'ignore',
    'goog:chromeOptions': {
      args: args.filter((argument) => argument.startsWith('--') && !isDrivers(argument)),
      prefs: RENTED_PREFERENCES,
    },
  };
}

function isDrivers(argument: string): boolean {
  return DRIVERS_ARGUMENTS.some((prefix) => argument.startsWith(prefix));
}
