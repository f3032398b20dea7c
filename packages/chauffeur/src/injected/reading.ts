import type { InjectedProgram } from './contract.ts';

type ReadingMethod = 'snapshot' | 'adoptFrame' | 'takeHostCandidates' | 'adoptShadowRoot';

/** The half of the program that reads the page as a whole. */
export const readingMethods: Pick<InjectedProgram, ReadingMethod> = {
  snapshot: () => ({ url: location.href, title: document.title, nodes: [], elementCount: 0, hostCandidates: 0 }),
  adoptFrame: () => {},
  takeHostCandidates: () => [],
  adoptShadowRoot: () => {},
};
