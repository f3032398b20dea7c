/**
 * Lists reacting elements without a ref, and refs that do not react: `node bench/reach/missed.ts tabulator swiper`.
 * Without page names, measures all pages except the held-out ones.
 */
import { measureReach } from '../benchmarks/reach.ts';
import { UNSEEN_PAGES, widgetPages } from './pages.ts';

/** Listed changes per click. */
const SHOWN_CHANGES = 5;

const named = process.argv.slice(2);
const unknown = named.filter((page) => !widgetPages().includes(page));
if (unknown.length > 0)
  throw new TypeError(`There is no page ${unknown.join(', ')}. Choose from ${widgetPages().join(', ')}.`);
const pages = named.length > 0 ? named : widgetPages().filter((page) => !UNSEEN_PAGES.has(page));
for (const { page, library, reach } of await measureReach(pages)) {
  const { units, missed, refs, idle } = reach;
  console.log(
    `${page}, ${library}: ${units - missed.length} of ${units} reached, ${refs - idle.length} of ${refs} refs react`,
  );
  for (const line of missed) console.log(`  missed ${shortened(line)}`);
  for (const line of idle) console.log(`  idle   ${line}`);
}

function shortened(text: string): string {
  const [place = '', ...changes] = text.split('\n');
  const rest = changes.length > SHOWN_CHANGES ? [`… ${changes.length - SHOWN_CHANGES} more`] : [];
  return [place, ...changes.slice(0, SHOWN_CHANGES), ...rest].join('\n      ');
}
