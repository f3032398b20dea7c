import { useBrowser } from '../support/use-browser.ts';
import { LongPages, testPlaces } from './token-budget.ts';

testPlaces(new LongPages(useBrowser()), ['beginning', 'end']);
