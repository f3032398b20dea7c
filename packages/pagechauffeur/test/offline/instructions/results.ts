import type { PageInstructions } from './instruction-case.ts';

/** Search results without list semantics, facets, page links. */
export const results: PageInstructions = {
  page: 'results.html',
  cases: [
    { say: 'click the first search result', element: '#res1' },
    { say: 'open the third result', element: '#res3' },
    { say: 'open the wiki article about tables', element: '#res3' },
    { say: 'click on "How to build a wooden table"', element: '#res2' },
    { say: 'show image results', element: '#t-img' },
    { say: 'switch to news', element: '#t-news' },
    { say: 'only show the brand Nordholz', element: '#b-nord', method: ['check', 'click'] },
    { say: 'enter 200 as the maximum price', element: '#max', arguments: ['200'] },
    { say: 'set minimum price to 50', element: '#min', arguments: ['50'] },
    { say: 'show results with at least 4 stars', element: '#r4' },
    { say: 'apply the filters', element: '#apply' },
    { say: 'reset all filters', element: '#reset' },
    { say: 'page 4', element: '#p4' },
    { say: 'next page of results', element: '#pnext' },
    { say: 'search again for "walnut desk"', element: '#q', arguments: ['walnut desk'], twoStep: true },
    { say: 'empty the search field', element: '#q', orElse: ['#clear'] },
    { say: 'open the cached version of the used tables page', element: '#cache4' },
    { say: 'try the related search for oak tables', element: '#rel2' },
    { say: 'open the video results', element: null },
    { say: 'only show the brand Lego', element: null },
  ],
};
