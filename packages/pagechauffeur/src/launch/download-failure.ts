import { DriverInitError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';

/** Advice by error message of a failed download. */
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|timeout|no data arrived|connection closed|expected \d+ bytes/i,
    'Check the network. Behind a proxy, set HTTPS_PROXY (Node.js 22.21 or newer). To use a mirror, pass --base-url or set CHAUFFEUR_DOWNLOAD_BASE_URL.',
  ],
  [/certificate|self.signed/i, 'Set NODE_EXTRA_CA_CERTS to the certificate of the intercepting proxy.'],
  [
    /(EACCES|EPERM|EROFS|ENOTDIR|ENOENT|EEXIST): /,
    'Set CHAUFFEUR_CACHE_DIR to a folder that this process may write to, for drivers too.',
  ],
  [/ENOSPC/, 'The disk is full. A browser needs about 400 MB, and twice that while it is unpacked.'],
  [/code 404|answered 404/, 'This version does not exist for this machine at that URL.'],
];

/** Turns any download failure into an error that says what was tried, what was seen, and what to do. */
export function downloadFailure(error: unknown, mirror: string | undefined): DriverInitError {
  const reason = withoutUsers(reasonsOf(error)).replace(/[.\s]+$/, '');
  const from = mirror === undefined ? '' : ` from ${withoutUsers(mirror)}`;
  const advice = ADVICE.find(([words]) => words.test(reason))?.[1];
  const message = `Cannot download Chrome for Testing${from}: ${reason}.`;
  return new DriverInitError([message, advice].filter(Boolean).join(' '), { cause: error });
}

/** The messages of an error and its causes. */
function reasonsOf(error: unknown): string {
  const said = sentenceOf(reasonOf(error));
  const cause = error instanceof Error && !(error instanceof DriverInitError) ? error.cause : undefined;
  if (cause === undefined) return said;
  const below = reasonsOf(cause);
  return said.includes(below) ? said : `${said}: ${below}`;
}

/** The library lists its attempts, one per line, below a line without information. */
function sentenceOf(message: string): string {
  const tried = /^All providers failed [^\n]*\n\s*- \w+: (?<rest>.*)/s.exec(message)?.groups?.['rest'];
  return (tried ?? message).replace(/\s*\n\s*/g, ' ');
}

/** URLs may contain passwords. */
function withoutUsers(text: string): string {
  return text.replace(/(?<=\/\/)[^/@\s]*@/g, '');
}
