import { useBrowser } from '../support/use-browser.ts';
import { MOMENTS, testTextThieves } from './text-thieves.ts';

testTextThieves(useBrowser(), MOMENTS);
