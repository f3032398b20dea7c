import { quote } from '../util/truncate.ts';
import { type Names, placeholderOf, placeholderParts } from '../util/placeholders.ts';
import type { ToolContext } from './tool-context.ts';

type OpenAddress = { readonly address: string } | { readonly refusal: string };

/**
 * Resolves the URL in a model's input, which can be a link number such as `#3`. A variable may be the start of the URL
 * or all of it. Elsewhere, its value would be sent to the owner of the URL, so that is allowed only for the current
 * origin.
 */
export function addressOf(context: ToolContext, given: string): OpenAddress {
  const found = resolveAddress(context, given);
  if ('refusal' in found || isWebUrl(found.address) || context.namesAddress(given)) return found;
  if (schemeOf(found.address) === schemeOf(context.page.url())) return found;
  const refusal = `Cannot open ${quote(given)}: it is not a web URL, and the task does not name it. Use an http(s) URL, or a URL that the task names.`;
  return { refusal };
}

/** False for files and internal pages of the browser. */
function isWebUrl(address: string): boolean {
  return WEB_SCHEMES.has(schemeOf(address)) || address === 'about:blank';
}

const WEB_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'data:', 'blob:']);

/** An invalid URL counts as `https:`. The navigation then fails. */
function schemeOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : 'https:';
}

function resolveAddress({ page, shown, variables }: ToolContext, given: string): OpenAddress {
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
  const isAllowed = address === given || startsWithVariable(given, variables) || isSameOrigin(address, page.url());
  if (isAllowed) return { address };
  return { refusal: 'A variable cannot be part of the URL of another site. Fill it into a field of the page.' };
}

function isSameOrigin(address: string, open: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(open)) return false;
  const [to, from] = [new URL(address), new URL(open)];
  return /^https?:$/.test(to.protocol) && to.origin === from.origin;
}

/** True if a URL contains exactly one variable, at its start. */
function startsWithVariable(given: string, variables: Names): boolean {
  const [first, ...others] = placeholderParts(given, variables);
  return first?.kind === 'placeholder' && others.every(({ kind }) => kind === 'text');
}
