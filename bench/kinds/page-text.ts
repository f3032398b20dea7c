const people = [
  'Martina Weber',
  'Jonas Lindqvist',
  'Aisha Khan',
  'Pedro Alvarez',
  'Mei Tanaka',
  'Oliver Brandt',
  'Sofia Rossi',
  'Kwame Mensah',
  'Hannah Schulz',
  'Luc Fontaine',
  'Priya Nair',
  'Tom Becker',
];
const subjects = [
  'Minutes of the planning meeting',
  'Invoice for September',
  'New opening hours of the workshop',
  'Trip to the harbour',
  'Draft of the annual report',
  'Question about the delivery',
  'Photos from the summer party',
  'Reminder: room change',
  'Offer for the roof repair',
  'Results of the survey',
  'Password of the guest network',
  'Ideas for the front page',
];
const clauses = [
  'the council approved the new bridge after a long debate',
  'prices of timber fell for the third month in a row',
  'the museum opens its restored east wing in spring',
  'volunteers planted two thousand trees along the canal',
  'the night train to the coast will run again from May',
  'a storm closed the mountain pass for two days',
  'researchers mapped the old harbour with sonar',
  'the library lends tools, seeds and musical instruments',
  'the school built its own weather station',
  'farmers report the best apple harvest in a decade',
];

export function pick<T>(list: readonly [T, ...T[]] | readonly T[], seed: number): T {
  return list[seed % list.length] as T;
}

export function person(seed: number): string {
  return pick(people, seed);
}

export function subject(seed: number): string {
  return pick(subjects, seed * 5);
}

export function clause(seed: number): string {
  const text = pick(clauses, seed * 3);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function sentences(seed: number, count: number): string {
  return repeat(count, (index) => `${clause(seed + index * 7)}.`, ' ');
}

export function date(seed: number): string {
  return `${1 + (seed % 28)} ${pick(['January', 'March', 'May', 'July', 'October', 'November'], seed)} 2026`;
}

export function repeat(count: number, textOf: (index: number) => string, between = ''): string {
  return Array.from({ length: count }, (_, index) => textOf(index)).join(between);
}

export function documentOf(title: string, body: string, css = ''): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${BASE_STYLE}${css}</style></head>` +
    `<body>${body}</body></html>`
  );
}

export function siteHeader(name: string, links: readonly string[]): string {
  const items = links
    .map((link) => `<li><a href="/${link.toLowerCase().replaceAll(' ', '-')}">${link}</a></li>`)
    .join('');
  return (
    `<header class="bar"><a class="logo" href="/"><svg width="24" height="24"><circle cx="12" cy="12" r="10"/></svg><span>${name}</span></a>` +
    `<nav><ul>${items}</ul></nav><form role="search"><input type="search" placeholder="Search ${name}"><button aria-label="Search"><svg width="16" height="16"><path d="M1 1h9"/></svg></button></form>` +
    `<button class="round" aria-haspopup="menu" aria-expanded="false"><img src="/avatar.png" alt="Your account"></button></header>`
  );
}

export function siteFooter(columns: readonly (readonly string[])[]): string {
  const lists = columns.map(
    ([head = '', ...links]) =>
      `<div class="column"><h3>${head}</h3><ul>${links.map((link, index) => `<li><a href="/about/${head.toLowerCase()}/${index}">${link}</a></li>`).join('')}</ul></div>`,
  );
  return `<footer><div class="columns">${lists.join('')}</div><p><small>© 2026. All rights reserved.</small></p></footer>`;
}

const BASE_STYLE =
  `body{margin:0;font:15px/1.4 sans-serif;color:#222}.bar{display:flex;gap:1em;padding:.5em 1em;background:#eef}ul{list-style:none;padding:0}` +
  `a{color:#0645ad}button{cursor:pointer}.columns{display:flex;gap:2em}.grid{display:grid;grid-template-columns:repeat(4,1fr);gap:1em}.hidden{display:none}` +
  `.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)}.card{border:1px solid #ccc;padding:.5em}.row{display:flex;gap:.5em}`;
