/**
 * Pages that exceed every token budget, one per kind of content. `target` is placed at the beginning, middle or end of
 * the content.
 */
export const longPages: Readonly<Record<string, (target: string, place: TargetPlace) => string>> = {
  'table rows': (target, place) =>
    table(
      parts(
        2000,
        (index) =>
          `<tr><td><a href="/mug/${index}">Mug ${index}</a></td><td>${words(6, index)}</td><td>${index}.50</td><td><button>Add</button></td></tr>`,
        [
          `<tr><td><a href="/mug/x">Mug</a></td><td>${target}</td><td>1.50</td><td><button>Add</button></td></tr>`,
          place,
        ],
      ),
    ),
  'table of text': (target, place) =>
    table(
      parts(400, (index) => `<tr><th>Key ${index}</th><td>${words(90, index)}</td></tr>`, [
        `<tr><th>Key</th><td>${words(40, 3)} ${target} ${words(40, 4)}</td></tr>`,
        place,
      ]),
    ),
  'list items': (target, place) =>
    `<ul>${parts(3000, (index) => `<li>Entry ${index}: ${words(9, index)}</li>`, [`<li>${target}</li>`, place])}</ul>`,
  sections: (target, place) =>
    parts(60, (index) => `<h2>Part ${index}: ${words(3, index)}</h2>${paragraphs(1 + (index % 7), index)}`, [
      `<h2>Remarks</h2><p>${words(60, 1)} ${target} ${words(60, 2)}</p>${paragraphs(3, 5)}`,
      place,
    ]),
  paragraphs: (target, place) =>
    parts(600, (index) => `<p>${words(60 + (index % 50), index)}</p>`, [`<p>${words(30, 1)} ${target}</p>`, place]),
  code: (target, place) =>
    `<pre><code>${parts(4000, (index) => `  const ${word(index)}${index} = await read(${index}, '${word(index * 7)}');\n`, [`  // ${target}\n`, place])}</code></pre>`,
  'code, one element per line': (target, place) =>
    `<pre>${parts(4000, (index) => `<div><span>const</span> ${word(index)}${index} = <b>read</b>(${index});</div>`, [`<div>// ${target}</div>`, place])}</pre>`,
  options: (target, place) =>
    `<label>Place <select>${parts(4000, (index) => `<option>${words(2, index)} ${index}</option>`, [`<option>${target}</option>`, place])}</select></label>`,
  links: (target, place) =>
    `<nav>${parts(3000, (index) => `<a href="/${index}">${words(3, index)} ${index}</a> `, [`<a href="/x">${target}</a> `, place])}</nav>`,
  'links in prose': (target, place) =>
    parts(
      400,
      (index) => `<p>${words(20, index)} <a href="/${index}">${words(2, index)}</a> ${words(20, index + 1)}</p>`,
      [`<p>${words(20, 1)} <a href="/x">see</a> ${target}</p>`, place],
    ),
  definitions: (target, place) =>
    `<dl>${parts(500, (index) => `<dt>${word(index)}.${word(index * 3)}${index}</dt><dd><p>${words(50, index)}</p><p>${words(40, index)}</p></dd>`, [`<dt>remark</dt><dd><p>${words(30, 1)}</p><p>${target} ${words(30, 2)}</p></dd>`, place])}</dl>`,
  'one paragraph': (target, place) =>
    `<p>${parts(40_000, (index) => `${word(index * 31 + (index % 17))} `, [`${target} `, place])}</p>`,
  'minified text': (target, place) =>
    `<p>${parts(20_000, (index) => `${word(index * 13)}=${index};`, [`${target};`, place])}</p>`,
  'one line of Chinese': (target, place) =>
    `<p>${parts(20_000, (index) => HAN[(index * 7 + (index % 11)) % HAN.length] ?? '', [target, place])}</p>`,
  'text field': (target, place) =>
    `<label>Note <textarea>${parts(2400, (index) => `${word(index)} `, [`${target} `, place])}</textarea></label>`,
  cards: (target, place) =>
    parts(
      500,
      (index) =>
        `<div><h3>${words(2, index)} ${index}</h3><p>${words(25, index)}</p><button>Buy</button> <a href="/${index}">More</a></div>`,
      [`<div><h3>Offer</h3><p>${target}</p><button>Buy</button> <a href="/x">More</a></div>`, place],
    ),
};

export type TargetPlace = 'beginning' | 'middle' | 'end';

/** Joins `count` parts and inserts the target at `place`. */
function parts(count: number, partOf: (index: number) => string, [target, place]: [string, TargetPlace]): string {
  const at = { beginning: 0, middle: count >> 1, end: count }[place];
  const all = Array.from({ length: count }, (_, index) => partOf(index));
  return [...all.slice(0, at), target, ...all.slice(at)].join('');
}

const table = (rows: string): string => `<table>${rows}</table>`;

const paragraphs = (count: number, seed: number): string =>
  Array.from(
    { length: count },
    (_, index) => `<p>${words(70 + ((seed + index) % 5) * 30, seed * 11 + index)}</p>`,
  ).join('');

const WORDS = (
  'river council bridge morning window garden letter copper engine harbour winter market orange silver paper station village ' +
  'doctor farmer kitchen teacher valley anchor button candle desert feather glacier hammer island jacket kettle lantern meadow'
).split(' ');
const HAN =
  '河流 会议 桥梁 早晨 窗户 花园 信件 铜器 引擎 港口 冬季 市场 橙色 银色 纸张 车站 村庄 医生 农民 厨房 老师 山谷 我们 今天 可以 公司 时间 因为 没有 工作 问题 已经'.split(
    ' ',
  );

function word(seed: number): string {
  return WORDS[seed % WORDS.length] ?? '';
}

function words(count: number, seed: number): string {
  return Array.from({ length: count }, (_, index) => word(seed * 5 + index * 7 + ((seed * index) % 13))).join(' ');
}
