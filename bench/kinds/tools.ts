import { date, documentOf, person, pick, repeat, sentences, siteFooter, siteHeader, subject } from './page-text.ts';

/** Key figures, charts as drawings, a table of recent orders, and tasks. */
export function dashboard(): string {
  const links = ['Overview', 'Orders', 'Products', 'Customers', 'Campaigns', 'Reports', 'Settings'];
  return documentOf(
    'Overview',
    `<div class="row"><nav aria-label="Main"><ul>${links.map((link, index) => `<li><a href="/${link.toLowerCase()}"${index === 0 ? ' aria-current="page"' : ''}><svg width="16" height="16"><path d="M1 1"/></svg><span>${link}</span></a></li>`).join('')}</ul></nav><main><header class="row"><h1>Overview</h1><label for="range">Period</label><select id="range"><option>Last 7 days</option><option>Last 30 days</option><option>This year</option></select><button>Export</button></header>` +
      `<div class="grid">${repeat(4, dashboardFigure)}</div><div class="row">${dashboardChart('Revenue')}${dashboardChart('Visitors')}</div><h2>Last orders</h2><table><thead><tr><th>Order</th><th>Customer</th><th>Date</th><th>Total</th><th>State</th><th></th></tr></thead><tbody>${repeat(25, dashboardOrder)}</tbody></table>` +
      `<h2>Tasks</h2><ul>${repeat(8, (index) => `<li><label><input type="checkbox"${index % 3 === 0 ? ' checked' : ''}> ${subject(index)}</label><button aria-label="Remove task">×</button></li>`)}</ul></main></div>`,
  );
}

const dashboardChart = (title: string): string =>
  `<div class="card"><h2>${title}</h2><svg role="img" aria-label="${title} by day" width="300" height="100">${repeat(30, dashboardBar)}</svg><div class="row"><button aria-pressed="true">Day</button><button aria-pressed="false">Week</button><button aria-pressed="false">Month</button></div></div>`;

const dashboardFigure = (index: number): string =>
  `<div class="card"><div>${pick(['Revenue', 'Orders', 'Visitors', 'Returns'], index)}</div><div><b>${1200 + index * 345}</b> <span class="up">▲ ${index + 2}.4 %</span></div><small>against last week</small></div>`;

const dashboardBar = (index: number): string =>
  `<rect x="${index * 10}" y="${100 - index * 3}" width="8" height="${index * 3}"/>`;

const dashboardOrder = (index: number): string =>
  `<tr><td><a href="/orders/${9000 + index}">#${9000 + index}</a></td><td>${person(index)}</td><td>${date(index)}</td><td>€ ${40 + index * 7}.${10 + index}</td><td><span class="badge">${pick(['Paid', 'Open', 'Shipped', 'Returned'], index)}</span></td><td><button aria-label="More for order ${9000 + index}" aria-haspopup="menu">⋯</button></td></tr>`;

/** One month with appointments, built as an ARIA grid. */
export function calendar(): string {
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  const cell = (day: number): string =>
    day < 1 || day > 30
      ? '<td role="gridcell" aria-disabled="true"></td>'
      : `<td role="gridcell"><button aria-label="${days[(day + 5) % 7]}, ${day} November 2026"${day === 21 ? ' aria-current="date"' : ''}>${day}</button>${calendarAppointment(day)}${day % 5 === 0 ? `<button class="event">${14 + (day % 4)}:30 Call ${person(day)}</button>` : ''}</td>`;
  return documentOf(
    'November 2026',
    `${siteHeader('Planner', ['Day', 'Week', 'Month', 'Year'])}<main><div class="row"><button aria-label="Previous month">‹</button><h1>November 2026</h1><button aria-label="Next month">›</button><button>Today</button><button>New appointment</button></div>` +
      `<table role="grid" aria-label="November 2026"><thead><tr>${days.map((day) => `<th abbr="${day}">${day.slice(0, 2)}</th>`).join('')}</tr></thead><tbody>${repeat(5, (week) => `<tr role="row">${repeat(7, (day) => cell(week * 7 + day))}</tr>`)}</tbody></table>` +
      `<aside><h2>Calendars</h2><ul>${['Work', 'Family', 'Holidays', 'Club'].map((name) => `<li><label><input type="checkbox" checked> ${name}</label></li>`).join('')}</ul></aside></main>`,
  );
}

const calendarAppointment = (day: number): string =>
  day % 3 === 0 ? `<button class="event">${9 + (day % 8)}:00 ${subject(day)}</button>` : '';

/** A folder tree, a file list, a breadcrumb and a toolbar. */
export function fileManager(): string {
  const branch = (name: string, level: number): string =>
    `<li role="treeitem" aria-level="${level}" aria-expanded="${level < 3}" tabindex="-1"><span>${name}</span>${level < 3 ? `<ul role="group">${repeat(4, (index) => branch(pick(['Contracts', 'Pictures', 'Reports', 'Templates'], index + level), level + 1))}</ul>` : ''}</li>`;
  return documentOf(
    'Files',
    `<div role="toolbar" aria-label="Files"><button>Upload</button><button>New folder</button><button disabled>Share</button><button disabled>Move</button><button disabled>Delete</button><input type="search" placeholder="Search files"><button aria-label="Grid view" aria-pressed="false">▦</button><button aria-label="List view" aria-pressed="true">☰</button></div>` +
      `<div class="row"><aside><ul role="tree" aria-label="Folders">${branch('Team drive', 1)}</ul><p>12.4 GB of 15 GB used</p></aside><main><nav aria-label="Path"><a href="/">Team drive</a> / <a href="/r">Reports</a> / 2026</nav>` +
      `<table><thead><tr><th><input type="checkbox" aria-label="Select all"></th><th aria-sort="ascending"><button>Name</button></th><th>Owner</th><th>Changed</th><th>Size</th><th></th></tr></thead><tbody>${repeat(36, fileManagerFile)}</tbody></table></main></div>`,
  );
}

const fileManagerFile = (index: number): string =>
  `<tr aria-selected="${index === 3}"><td><input type="checkbox" aria-label="Select ${subject(index)}"></td><td><img src="/icons/file.svg" alt=""><a href="/file/${index}">${subject(index)}.${pick(['pdf', 'docx', 'png', 'csv'], index)}</a></td><td>${person(index)}</td><td>${date(index)}</td><td>${(index * 37) % 900} kB</td><td><button aria-label="Actions">⋮</button></td></tr>`;

/** A chapter tree, headings, code, a table of options and an "on this page" list. */
export function documentation(): string {
  return documentOf(
    'Loading data – Library',
    `${siteHeader('Library', ['Docs', 'Examples', 'Blog', 'GitHub'])}<div class="row"><nav aria-label="Chapters"><ul>${repeat(5, documentationChapter)}</ul></nav><main><nav aria-label="You are here"><a href="/docs">Docs</a> › Guides</nav><article><h1>Loading data</h1>${repeat(6, documentationSection)}` +
      `<table><thead><tr><th>Option</th><th>Type</th><th>Default</th><th>Meaning</th></tr></thead><tbody>${repeat(18, documentationOption)}</tbody></table></article><div class="row"><a href="/docs/1">Previous: Routing</a><a href="/docs/2">Next: Styling</a></div><p>Was this page helpful? <button>Yes</button> <button>No</button></p></main>` +
      `<nav aria-label="On this page"><ul>${repeat(6, (index) => `<li><a href="#s${index}">${pick(['Overview', 'First steps', 'How it works', 'Options', 'Errors', 'Upgrading'], index)}</a></li>`)}</ul></nav></div>${siteFooter(
        [
          ['Library', 'Source', 'Licence'],
          ['Community', 'Chat', 'Forum'],
        ],
      )}`,
  );
}

const documentationChapter = (index: number): string =>
  `<li><details${index === 1 ? ' open' : ''}><summary>${pick(['Start', 'Guides', 'Reference', 'Deploy', 'Appendix'], index)}</summary><ul>${repeat(6, (page) => `<li><a href="/docs/${index}/${page}">${pick(['Install', 'Configure', 'Routing', 'Data', 'Testing', 'Styling', 'Caching'], index * 2 + page)}</a></li>`)}</ul></details></li>`;

const documentationOption = (index: number): string =>
  `<tr><td><code>${pick(['cache', 'retries', 'timeout', 'baseUrl', 'strict', 'verbose'], index)}${index}</code></td><td><code>${pick(['boolean', 'number', 'string'], index)}</code></td><td><code>${pick(['true', '3', '"/"'], index)}</code></td><td>${pick(['Keeps answers on disk', 'Tries again after a failure', 'Where requests go to'], index)}. See <a href="/docs/ref/${index}">its page</a>.</td></tr>`;

const documentationSection = (index: number): string =>
  `<h2 id="s${index}">${pick(['Overview', 'First steps', 'How it works', 'Options', 'Errors', 'Upgrading'], index)} <a href="#s${index}" aria-label="Link to this section">#</a></h2><p>${sentences(index, 2)} Use <code>load()</code> with <a href="/docs/load/${index}"><code>options</code></a>, or read the <a href="/docs/guide/${index}">guide</a>.</p>` +
  `<pre><code>import { load } from 'library';\n\nconst page = await load('/data/${index}');\nconsole.log(page.title);</code></pre><button>Copy</button>${index % 2 ? `<ul>${repeat(4, (line) => `<li>${subject(index + line)}: <a href="/docs/x/${line}">more</a></li>`)}</ul>` : ''}`;

/** Gallery, options, tabs, reviews and recommendations. */
export function productPage(): string {
  return documentOf(
    'Enamel kettle, 2 litres',
    `${siteHeader('Hearth and Home', ['Kitchen', 'Living', 'Garden', 'Sale'])}<main><nav aria-label="You are here"><a href="/">Home</a> › <a href="/kitchen">Kitchen</a> › <a href="/kitchen/kettles">Kettles</a></nav>` +
      `<div class="row"><div role="group" aria-label="Pictures">${repeat(6, (index) => `<button aria-label="Picture ${index + 1} of 6"${index === 0 ? ' aria-current="true"' : ''}><img src="/kettle/${index}.jpg" alt=""></button>`)}</div><div><h1>Enamel kettle, 2 litres</h1><p><span role="img" aria-label="4.6 of 5 stars">★★★★★</span> <a href="#reviews">128 reviews</a></p><p><s>€ 59.00</s> <strong>€ 44.90</strong> <small>incl. VAT, plus <a href="/shipping">shipping</a></small></p>` +
      `<fieldset><legend>Colour</legend>${['Cream', 'Forest green', 'Night blue'].map((color, index) => `<label><input type="radio" name="color"${index === 1 ? ' checked' : ''}> ${color}</label>`).join('')}</fieldset><label for="count">Quantity</label><select id="count">${repeat(10, (index) => `<option>${index + 1}</option>`)}</select><button>Add to basket</button><button aria-pressed="false">Add to wish list</button><p>In stock. Delivered by Tuesday.</p></div></div>` +
      `<div role="tablist">${['Description', 'Details', 'Care'].map((tab, index) => `<button role="tab" aria-selected="${index === 0}" id="tab${index}">${tab}</button>`).join('')}</div><div role="tabpanel" aria-labelledby="tab0"><p>${sentences(2, 5)}</p><ul>${repeat(5, (index) => `<li>${subject(index)}</li>`)}</ul></div>` +
      `<section id="reviews"><h2>Reviews</h2><label for="sort">Sort by</label><select id="sort"><option>Most helpful</option><option>Newest</option></select>${repeat(10, productPageReview)}<button>Show more reviews</button></section>` +
      `<section><h2>Others also bought</h2><div class="grid">${repeat(8, (index) => `<div class="card"><a href="/p/${index}"><img src="/p/${index}.jpg" alt=""><div>${pick(['Tea strainer', 'Trivet', 'Mug, set of 4', 'Oven glove'], index)} ${index}</div></a><div>€ ${8 + index}.50</div><button>Add to basket</button></div>`)}</div></section></main>${siteFooter(
        [
          ['Service', 'Shipping', 'Returns', 'Contact'],
          ['Company', 'About', 'Jobs', 'Press'],
        ],
      )}`,
  );
}

const productPageReview = (index: number): string =>
  `<div class="review"><div class="row"><span role="img" aria-label="${1 + (index % 5)} of 5 stars">★★★</span><b>${subject(index)}</b></div><p>${person(index)} on ${date(index)}</p><p>${sentences(index, 2)}</p><p>${index * 3} people found this helpful <button>Helpful</button> <a href="/report/${index}">Report</a></p></div>`;

/** Columns of draggable cards. */
export function taskBoard(): string {
  return documentOf(
    'Sprint 42',
    `${siteHeader('Boards', ['Boards', 'Timeline', 'Reports'])}<main><div class="row"><h1>Sprint 42</h1><button aria-pressed="false">Only mine</button><select aria-label="Group by"><option>State</option><option>Person</option></select><button>Share</button></div><div class="grid">${repeat(4, taskBoardColumn)}</div></main>`,
  );
}

const taskBoardColumn = (index: number): string =>
  `<section aria-label="${pick(['To do', 'In progress', 'Review', 'Done'], index)}"><h2>${pick(['To do', 'In progress', 'Review', 'Done'], index)} <span>${5 + index}</span></h2>${repeat(5 + index, (place) => taskBoardCard(index * 7 + place))}<button>Add card</button></section>`;

const taskBoardCard = (index: number): string =>
  `<div class="card" draggable="true" tabindex="0"><div class="row">${repeat(1 + (index % 2), (label) => `<span class="badge">${pick(['bug', 'design', 'urgent', 'docs'], index + label)}</span>`)}</div><div>${subject(index)}</div><div class="row"><span>${date(index)}</span><img src="/a/${index}.png" alt="${person(index)}"><span aria-label="${index} comments">💬 ${index}</span><button aria-label="Card menu">⋯</button></div></div>`;

/** A plain admin table of 80 rows with a link and a button in each row. */
export function recordTable(): string {
  return documentOf(
    'Users',
    `${siteHeader('Admin', ['Users', 'Roles', 'Log'])}<main><h1>Users</h1><div class="row"><input type="search" aria-label="Filter users"><button>Invite user</button></div><table><thead><tr><th>No.</th><th>Name</th><th>E-mail</th><th>Role</th><th>Joined</th><th>Actions</th></tr></thead><tbody>${repeat(80, recordTableRow)}</tbody></table><nav aria-label="Pages">${repeat(5, (index) => `<a href="?p=${index}">${index + 1}</a>`)}</nav></main>`,
  );
}

const recordTableRow = (index: number): string =>
  `<tr><td>${index + 1}</td><td>${person(index)}</td><td>user${index}@mail.example</td><td>${pick(['Admin', 'Editor', 'Reader'], index)}</td><td>${date(index)}</td><td><a href="/users/${index}/edit">Edit</a> <button>Block</button></td></tr>`;
