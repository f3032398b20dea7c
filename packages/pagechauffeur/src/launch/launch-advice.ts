/** Chromium's message on a system without a usable sandbox. */
const NO_SANDBOX = /No usable sandbox/;

/** What browsers say when they cannot be driven, and what to do about it. */
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /Cannot start http server for devtools|DevTools listening on ws:\/\/\[::1\]/,
    'Its port is in use: give another `port`, or none to have a free one chosen.',
  ],
  [
    /Missing X server|cannot open display/i,
    'A window needs a display: set DISPLAY, run it by xvfb-run, or leave `headless` on.',
  ],
  [/Running as root without --no-sandbox/, 'As root it needs --no-sandbox, which `ignoreDefaultArgs` took away.'],
  [NO_SANDBOX, 'Its sandbox does not work on this system: allow user namespaces, or pass --no-sandbox in `args`.'],
  [
    /error while loading shared libraries|cannot open shared object file/,
    "It lacks libraries of the system: install the distribution's own Chromium package, or, as root on Debian or Ubuntu, run `npx pagechauffeur install --with-deps`.",
  ],
  [
    /existing browser session|profile appears to be in use|ProcessSingleton/i,
    'Another browser uses this profile, and only one can at a time.',
  ],
  [
    /^cannot be started: .*(ENOENT|EACCES)/,
    '`executablePath`, or else CHROME_PATH, must name a program that this process may run.',
  ],
];

/** Lines that every browser in a container says, whatever happens. */
const NOISE = /dbus|vaapi|gpu_init|\[: .*unexpected operator/i;

/** Whether a line may tell why a browser cannot be driven. */
export function isWorthNoting(line: string): boolean {
  return line.trim() !== '' && !NOISE.test(line);
}

/** What to do, going by what a browser said; undefined when that tells nothing. */
export function adviceFor(words: readonly string[]): string | undefined {
  return ADVICE.find(([pattern]) => words.some((line) => pattern.test(line)))?.[1];
}

/** True if a browser ended because no sandbox is usable. */
export function lacksSandbox(words: readonly string[]): boolean {
  return words.some((line) => NO_SANDBOX.test(line));
}

/** Whether a browser that says this goes on without ever being reachable. */
export function isUnreachable(line: string): boolean {
  return /Cannot start http server for devtools/.test(line);
}
