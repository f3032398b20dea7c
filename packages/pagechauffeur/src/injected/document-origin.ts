import type { DocumentOrigin } from './contract.ts';

/** Returns the document's origin. The isolated world has its own `self` and `location`, which the page cannot redefine. */
export function documentOrigin(): DocumentOrigin {
  const { origin } = self;
  const { ancestorOrigins } = location;
  return { origin, top: ancestorOrigins[ancestorOrigins.length - 1] ?? origin };
}
