import type { PageInstructions } from './instruction-case.ts';

/** An article with repeated section buttons, comments, and links that stand twice. */
export const article: PageInstructions = {
  page: 'article.html',
  cases: [
    { say: 'reply to the comment by Aisha', element: '#c2-reply' },
    { say: "like Tom's comment", element: '#c3-like' },
    { say: 'report the first comment', element: '#c1-flag' },
    { say: 'print this recipe', element: '#print' },
    { say: 'bookmark the recipe for later', element: '#save' },
    { say: 'copy the ingredients in the dough section', element: '#copy2' },
    { say: 'copy the ingredients under the heading Baking', element: '#copy3' },
    { say: 'jump to the part about baking', element: '#toc3' },
    { say: 'click the about link', element: null },
    { say: 'switch on dark mode', element: '#dark' },
    { say: 'write a comment: Lovely crumb!', element: '#comment', arguments: ['Lovely crumb!'] },
    { say: 'post my comment', element: '#post' },
    { say: 'watch the video about folding', element: '#fold' },
    { say: 'scroll to the comments', element: '#c1-like', orElse: ['#comment'], method: 'scrollTo' },
    { say: 'go back to the top of the page', element: '#top' },
    { say: 'subscribe to the RSS feed', element: '#rss' },
    { say: 'delete my comment', element: null },
    { say: 'reply to Sabine', element: null },
    { say: 'click on the second "Copy ingredients" button', element: '#copy2' },
  ],
};
