import { testLongTexts } from './prompts.ts';

testLongTexts(500_000);
