import { useBrowser } from '../support/use-browser.ts';
import { testKeyThieves } from './key-thieves.ts';

testKeyThieves(useBrowser(), 1);
