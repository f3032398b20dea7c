import { describeMutations } from './support/mutated-messages.ts';

describeMutations(20_000);
