import type { InjectedProgram } from './contract.ts';

type ReadingMethod = 'snapshot' | 'adoptFrame' | 'takeHostCandidates' | 'adoptShadowRoot';

export const actingMethods: Omit<InjectedProgram, ReadingMethod> = {} as Omit<InjectedProgram, ReadingMethod>;
