import { testLongTexts } from './prompts.ts';

// A text of 3,000,000 characters takes seconds in each test, so that is nightly.
testLongTexts(60_000);
