const NO_SANDBOX = /No usable sandbox/;

/** Advice by the output of a browser that failed to start. The first match is used. */
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

/** Harmless warnings that browsers often print, for example in containers. */
const NOISE = /dbus|vaapi|gpu_init|\[: .*unexpected operator/i;

export function isWorthNoting(line: string): boolean {
  return line.trim() !== '' && !NOISE.test(line);
}

export function adviceFor(words: readonly string[]): string | undefined {
  return ADVICE.find(([pattern]) => words.some((line) => pattern.test(line)))?.[1];
}

export function lacksSandbox(words: readonly string[]): boolean {
  return words.some((line) => NO_SANDBOX.test(line));
}

/** Chromium keeps running after this message, but no client can connect to it. */
export function isUnreachable(line: string): boolean {
  return /Cannot start http server for devtools/.test(line);
}
