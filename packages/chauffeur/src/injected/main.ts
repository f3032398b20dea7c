import type { InjectedProgram } from './contract.ts';
import { actingMethods } from './acting.ts';
import { readingMethods } from './reading.ts';

const program: InjectedProgram = { ...readingMethods, ...actingMethods };

export default program;
