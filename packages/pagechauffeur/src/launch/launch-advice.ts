/** Matches Chromium's message on a system without a usable sandbox. */
const NO_SANDBOX = /No usable sandbox/;

/** Messages of browsers that failed to start, and advice. */
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /Cannot start http server for devtools|DevTools listening on ws:\/\/\[::1\]/,
    'Its port is in use. Pass another `port`, or none to let the browser choose.',
  ],
  [
    /Missing X server|cannot open display/i,
    'A window needs a display. Set DISPLAY, use xvfb-run, or set `headless` to true.',
  ],
  [/Running as root without --no-sandbox/, 'As root it needs --no-sandbox, which `ignoreDefaultArgs` removed.'],
  [NO_SANDBOX, 'Its sandbox does not work on this system. Allow user namespaces, or pass --no-sandbox in `args`.'],
  [
    /error while loading shared libraries|cannot open shared object file/,
    "It lacks system libraries. Install the distribution's own Chromium package or, as root on Debian or Ubuntu, run `npx pagechauffeur install --with-deps`.",
  ],
  [
    /existing browser session|profile appears to be in use|ProcessSingleton/i,
    'Another browser uses this profile. Only one can use it at a time.',
  ],
  [
    /^cannot be started: .*(ENOENT|EACCES)/,
    '`executablePath` or CHROME_PATH must be a program that this process is allowed to run.',
  ],
];

/** Matches lines that every browser in a container prints. */
const NOISE = /dbus|vaapi|gpu_init|\[: .*unexpected operator/i;

/** True if a line may explain why a browser cannot be controlled. */
export function isWorthNoting(line: string): boolean {
  return line.trim() !== '' && !NOISE.test(line);
}

/** Returns advice for the messages of a browser, or `undefined`. */
export function adviceFor(words: readonly string[]): string | undefined {
  return ADVICE.find(([pattern]) => words.some((line) => pattern.test(line)))?.[1];
}

/** True if the browser exited because no sandbox is usable. */
export function lacksSandbox(words: readonly string[]): boolean {
  return words.some((line) => NO_SANDBOX.test(line));
}

/** True if a browser that prints this line keeps running but never becomes reachable. */
export function isUnreachable(line: string): boolean {
  return /Cannot start http server for devtools/.test(line);
}
