import { useBrowser } from '../support/use-browser.ts';
import { testTextThieves } from './text-thieves.ts';

// Each moment of each theft costs a second of waiting, so the others are nightly.
testTextThieves(useBrowser(), ['beforeinput']);
