import {
  clause,
  date,
  documentOf,
  person,
  pick,
  repeat,
  sentences,
  siteFooter,
  siteHeader,
  subject,
} from './page-text.ts';

/** Folders in a sidebar, and 40 messages with a checkbox, a star and a time. */
export function mailList(): string {
  const folders = ['Inbox', 'Starred', 'Snoozed', 'Sent', 'Drafts', 'Spam', 'Archive'];
  const side = folders.map(
    (name, index) =>
      `<a href="/mail/${name.toLowerCase()}" class="row"><span>${name}</span><span>${index * 7}</span></a>`,
  );
  const tools = ['Archive', 'Report spam', 'Delete', 'Mark as unread', 'Snooze', 'Move to'];
  return documentOf(
    'Inbox (12)',
    `${siteHeader('Letterbox', ['Mail', 'Calendar', 'Contacts'])}<div class="row"><aside><button>Compose</button><nav aria-label="Folders">${side.join('')}</nav></aside>` +
      `<main><div role="toolbar" aria-label="Messages"><input type="checkbox" aria-label="Select all">${tools.map((tool) => `<button>${tool}</button>`).join('')}` +
      `<span>1–40 of 1,284</span><button aria-label="Newer" disabled>‹</button><button aria-label="Older">›</button></div>` +
      `<div role="grid" aria-label="Messages">${repeat(40, mailListMessage)}</div></main></div>`,
  );
}

const mailListMessage = (index: number): string =>
  `<div role="row" class="row"><div role="gridcell"><input type="checkbox" aria-label="Select message ${index + 1}"></div>` +
  `<div role="gridcell"><button aria-label="Star" aria-pressed="${index % 6 === 0}">☆</button></div><div role="gridcell"><span class="from">${person(index)}</span></div>` +
  `<div role="gridcell"><a href="/mail/message/${index}"><b>${subject(index)}</b> <span>— ${clause(index)} and more about it.</span></a></div>` +
  `<div role="gridcell"><span title="${date(index)}">${8 + (index % 12)}:${10 + (index % 48)}</span></div></div>`;

/** Filters, 20 results made of plain `<div>`s, related searches and pagination. */
export function searchResults(): string {
  const tabs = ['All', 'Images', 'News', 'Videos', 'Maps', 'Books'];
  return documentOf(
    'harbour tour - Search',
    `${siteHeader('Seek', ['Images', 'Sign in'])}<nav aria-label="Kinds">${tabs.map((tab, index) => `<a href="/search?tab=${index}"${index === 0 ? ' aria-current="page"' : ''}>${tab}</a>`).join(' ')}</nav>` +
      `<main><p>About 1,240,000 results (0.42 seconds)</p><div id="results">${repeat(20, searchResultsResult)}</div><section><h2>Related searches</h2><ul>${repeat(8, (index) => `<li><a href="/search?q=${index}">${subject(index).toLowerCase()}</a></li>`)}</ul></section>` +
      `<nav aria-label="Pages">${repeat(10, (index) => `<a href="/search?start=${index * 10}" aria-label="Page ${index + 1}">${index + 1}</a> `)}<a href="/search?start=10">Next</a></nav></main>${siteFooter([['Help', 'Settings', 'Privacy', 'Terms']])}`,
  );
}

const searchResultsResult = (index: number): string =>
  `<div class="result"><div class="row"><img src="/icon/${index}.png" alt=""><cite>https://site-${index}.example › guide › ${index * 3}</cite></div>` +
  `<a href="https://site-${index}.example/guide/${index * 3}"><h3>${subject(index)} – ${person(index)}</h3></a>` +
  `<div><span>${date(index)} — </span>${sentences(index, 2)} <em>harbour</em> ${clause(index + 2).toLowerCase()}.</div>` +
  `${index % 3 === 0 ? `<div class="row">${repeat(4, (link) => `<a href="https://site-${index}.example/${link}">${pick(['Prices', 'Contact', 'Opening hours', 'Directions'], link)}</a>`)}</div>` : ''}</div>`;

/** A lead story, sections with teasers, and a list of the most read articles. */
export function newsFrontPage(): string {
  const section = (index: number): string =>
    `<section><h2><a href="/section/${index}">${pick(['World', 'Region', 'Economy', 'Science', 'Culture'], index)}</a></h2><div class="grid">${repeat(4, (place) => newsFrontPageTeaser(index * 4 + place + 1))}</div></section>`;
  return documentOf(
    'The Morning Courier',
    `${siteHeader('The Morning Courier', ['World', 'Region', 'Economy', 'Science', 'Culture', 'Sports', 'Opinion'])}<main><section aria-label="Lead">${newsFrontPageTeaser(0)}</section>${repeat(5, section)}` +
      `<aside><h2>Most read</h2><ol>${repeat(10, (index) => `<li><a href="/story/${index + 30}">${clause(index + 4)}</a></li>`)}</ol><form><h2>Newsletter</h2><label for="mail">Your e-mail</label><input id="mail" type="email" required><button>Subscribe</button></form></aside></main>${siteFooter(
        [
          ['Courier', 'About us', 'Jobs', 'Advertise'],
          ['Legal', 'Imprint', 'Privacy', 'Cookies'],
          ['Follow', 'RSS', 'Podcast'],
        ],
      )}`,
  );
}

const newsFrontPageTeaser = (index: number): string =>
  `<article class="card"><a href="/story/${index}"><img src="/photo/${index}.jpg" alt="${subject(index)}"></a><p class="kicker">${pick(['Politics', 'Economy', 'Science', 'Culture', 'Sports'], index)}</p>` +
  `<h3><a href="/story/${index}">${clause(index)}</a></h3><p>${sentences(index + 1, 2)}</p><p class="row"><span>${person(index)}</span><time datetime="2026-11-${10 + (index % 19)}">${index + 1} hours ago</time><a href="/story/${index}#comments">${index * 7} comments</a></p></article>`;

/** Posts with authors, votes and replies. */
export function forumThread(): string {
  return documentOf(
    'How do I level a workbench?',
    `${siteHeader('Workshop talk', ['Threads', 'Tags', 'Members'])}<main><nav aria-label="You are here"><a href="/">Home</a> › <a href="/t/tools">Tools</a> › Levelling</nav><h1>How do I level a workbench?</h1>` +
      `<p class="row">${repeat(5, (index) => `<a href="/tag/${index}">${pick(['wood', 'tools', 'bench', 'level', 'beginner'], index)}</a>`)}</p>${repeat(15, forumThreadPost)}` +
      `<form><h2>Your answer</h2><textarea aria-label="Your answer" rows="6" placeholder="Write what you know"></textarea><label><input type="checkbox" checked> Tell me about replies</label><button>Post answer</button></form></main>${siteFooter([['Site', 'Rules', 'Contact', 'Privacy']])}`,
  );
}

const forumThreadPost = (index: number): string =>
  `<div class="post card" id="p${index}"><div class="row"><img src="/avatar/${index}.png" alt="${person(index)}"><a href="/user/${index}">${person(index)}</a><span>${date(index)}</span><a href="#p${index}">#${index + 1}</a></div>` +
  `<div class="body"><p>${sentences(index, 3)}</p>${index % 3 === 1 ? `<blockquote><p>${clause(index + 5)}.</p></blockquote>` : ''}${index % 4 === 2 ? `<pre><code>let height = ${index * 12};\nmeasure(height);</code></pre>` : ''}</div>` +
  `<div class="row"><button aria-label="Vote up">▲</button><span>${(index * 13) % 40}</span><button aria-label="Vote down">▼</button><button>Reply</button><button>Share</button><button>Report</button></div></div>`;

/** A conversation list, messages with reactions, and an input field. */
export function chat(): string {
  return documentOf(
    'Chat with Aisha Khan',
    `<div class="row"><aside><input type="search" aria-label="Search conversations"><ul role="listbox" aria-label="Conversations">${repeat(14, chatConversation)}</ul></aside>` +
      `<main><header class="row"><h1>Aisha Khan</h1><span>online</span><button aria-label="Call">📞</button><button aria-label="Video call">📹</button></header><div role="log" aria-label="Messages"><div role="list">${repeat(30, chatMessage)}</div></div>` +
      `<form class="row"><button type="button" aria-label="Attach file">📎</button><div contenteditable="true" role="textbox" aria-label="Message" aria-multiline="true"></div><button>Send</button></form></main></div>`,
  );
}

const chatConversation = (index: number): string =>
  `<li role="option" aria-selected="${index === 2}" tabindex="-1"><img src="/avatar/${index}.png" alt=""><b>${person(index)}</b><span>${clause(index)}</span><time>${9 + (index % 10)}:${12 + index}</time>${index % 4 === 0 ? `<span aria-label="${index + 1} unread messages">${index + 1}</span>` : ''}</li>`;

const chatMessage = (index: number): string =>
  `<div role="listitem" class="message"><div class="row"><span>${person(index % 2 ? 2 : 5)}</span><time>${10 + Math.floor(index / 6)}:${10 + (index % 6) * 7}</time></div><div>${sentences(index, 1 + (index % 2))}</div>` +
  `<div class="row">${index % 5 === 0 ? '<button>👍 3</button>' : ''}<button class="tool" aria-label="Add reaction">☺</button><button class="tool" aria-label="Reply">↩</button></div></div>`;
