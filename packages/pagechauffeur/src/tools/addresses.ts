import { type Names, placeholderOf, placeholderParts } from '../util/placeholders.ts';
import type { ToolContext } from './tool-context.ts';

/** A URL, or why it cannot be opened. */
type OpenAddress = { readonly address: string } | { readonly refusal: string };

/**
 * Resolves the URL that a model gives: a link number of the page, such as `#3`, or a URL. A variable may be the whole URL or its start.
 * Elsewhere its value would be sent to the URL's owner, which is allowed only for the site that is open.
 */
export function addressOf(context: ToolContext, given: string): OpenAddress {
  const found = meantBy(context, given);
  if ('refusal' in found || isOfWeb(found.address) || context.namesAddress(given)) return found;
  if (schemeOf(found.address) === schemeOf(context.page.url())) return found;
  const refusal = `${JSON.stringify(given)} is not a web URL, and the task does not name it. You can open only http: and https: URLs.`;
  return { refusal };
}

/** True for URLs that are neither a file nor an internal page of the browser. */
function isOfWeb(address: string): boolean {
  return WEB_SCHEMES.has(schemeOf(address)) || address === 'about:blank';
}

const WEB_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'data:', 'blob:']);

/** Scheme of a URL. The browser reports incomplete ones. */
function schemeOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : 'https:';
}

function meantBy({ page, shown, variables }: ToolContext, given: string): OpenAddress {
  const number = /^#(\d+)$/.exec(given)?.[1];
  if (number !== undefined) {
    const address = shown?.urls[Number(number)];
    return address === undefined ? { refusal: `The page has no link ${given}.` } : { address };
  }
  const address = variables.expand(given, 'address');
  const fault = variables.faultIn([given]);
  if (fault !== undefined) return { refusal: fault };
  const bound = variables.namesIn(given).find((name) => variables.bindingOf(name)?.allowsAddress(address) === false);
  if (bound !== undefined)
    return {
      refusal: `${placeholderOf(bound)} can only be used in a URL of an origin that it is bound to. Fill it into a field of the page.`,
    };
  const isAllowed = address === given || beginsWithOne(given, variables) || isOfOpenSite(address, page.url());
  if (isAllowed) return { address };
  return { refusal: 'A variable cannot be part of the URL of another site. Fill it into a field of the page.' };
}

/** True if an http(s) URL has the origin of the open page. Other URLs have no origin to compare. */
function isOfOpenSite(address: string, open: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(open)) return false;
  const [to, from] = [new URL(address), new URL(open)];
  return /^https?:$/.test(to.protocol) && to.origin === from.origin;
}

/** True if a URL has exactly one variable, at its start. */
function beginsWithOne(given: string, variables: Names): boolean {
  const [first, ...others] = placeholderParts(given, variables);
  return first?.kind === 'placeholder' && others.every(({ kind }) => kind === 'text');
}
