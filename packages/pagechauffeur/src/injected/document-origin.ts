import type { DocumentOrigin } from './contract.ts';

/** Whose this document is. This world has a `self` and a `location` of its own, which no page can redefine. */
export function documentOrigin(): DocumentOrigin {
  const { origin } = self;
  const { ancestorOrigins } = location;
  return { origin, top: ancestorOrigins[ancestorOrigins.length - 1] ?? origin };
}
