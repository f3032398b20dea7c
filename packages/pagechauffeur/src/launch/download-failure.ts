import { DriverInitError } from '../errors.ts';
import { reasonOf } from '../util/error-facts.ts';

/** What a download fails by, and what to do about it. */
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|timeout|stood still|connection closed|expected \d+ bytes/i,
    'Look at the network. Behind a proxy set HTTPS_PROXY (Node.js 22.21 or newer); a mirror is named by --base-url or CHAUFFEUR_DOWNLOAD_BASE_URL.',
  ],
  [/certificate|self.signed/i, 'Name the certificate of whoever stands between by NODE_EXTRA_CA_CERTS.'],
  [
    /(EACCES|EPERM|EROFS|ENOTDIR|ENOENT|EEXIST): /,
    'Have CHAUFFEUR_CACHE_DIR name a folder that this process may write to, for drivers too.',
  ],
  [/ENOSPC/, 'There is no room left; a browser takes some 400 MB, twice that while it is unpacked.'],
  [/code 404|answered 404/, 'There is no such version for this machine at that address.'],
];

/** Why a download failed, whatever failed in it: what was tried, what was seen, and what to do. */
export function downloadFailure(error: unknown, mirror: string | undefined): DriverInitError {
  const reason = withoutUsers(reasonsOf(error)).replace(/[.\s]+$/, '');
  const from = mirror === undefined ? '' : ` from ${withoutUsers(mirror)}`;
  const advice = ADVICE.find(([words]) => words.test(reason))?.[1];
  const message = `Chrome for Testing could not be had${from}: ${reason}.`;
  return new DriverInitError([message, advice].filter(Boolean).join(' '), { cause: error });
}

/** What an error says, and what those below it add. */
function reasonsOf(error: unknown): string {
  const said = sentenceOf(reasonOf(error));
  const cause = error instanceof Error && !(error instanceof DriverInitError) ? error.cause : undefined;
  if (cause === undefined) return said;
  const below = reasonsOf(cause);
  return said.includes(below) ? said : `${said}: ${below}`;
}

/** The library lists what it tried, one line each, below a line that says nothing. */
function sentenceOf(message: string): string {
  const tried = /^All providers failed [^\n]*\n\s*- \w+: (?<rest>.*)/s.exec(message)?.groups?.['rest'];
  return (tried ?? message).replace(/\s*\n\s*/g, ' ');
}

/** An address may hold a password. */
function withoutUsers(text: string): string {
  return text.replace(/(?<=\/\/)[^/@\s]*@/g, '');
}
