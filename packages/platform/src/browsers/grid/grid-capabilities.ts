import { browserArguments, RENTED_PREFERENCES } from 'pagechauffeur/internal';
import type { BrowserRequest } from '../browser-backend.ts';
import { BROWSER_NAME, NAME_CAPABILITY } from './grid-answers.ts';

/** Arguments that chromedriver sets itself. */
const DRIVERS_ARGUMENTS = ['--remote-debugging-port=', '--user-data-dir='];

/**
 * Returns Grid capabilities with the same arguments as for local browsers. The node chooses the executable and the
 * sandbox.
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
    // Without this rule, Chromium connects to loopback addresses directly instead of through the proxy.
    proxy: proxyServer === undefined ? undefined : { server: proxyServer, bypass: '<-loopback>' },
    ignoreHTTPSErrors,
    domainPolicy: undefined,
    isRoot: false,
  });
  return {
    browserName: BROWSER_NAME,
    [NAME_CAPABILITY]: name,
    pageLoadStrategy: 'none',
    // Leaves dialogs to the clients instead of chromedriver.
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
