import { describeMutations } from './support/mutated-messages.ts';

describeMutations(500);
