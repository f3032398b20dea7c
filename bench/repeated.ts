/** Fragments of HTML, each with one control or text. Repeated, they show what grows faster than the page. */
type Fragment = (index: number) => string;

const icon = '<svg width="16" height="16"><path d="M0 0h9v9z"/></svg>';

export const fragments: Readonly<Record<string, Fragment>> = {
  paragraph: (i) => `<p>Paragraph ${i}</p>`,
  link: (i) => `<a href="/${i}">Link ${i}</a>`,
  button: (i) => `<button>Button ${i}</button>`,
  'icon button': () => `<button class="icon">${icon}</button>`,
  'icon link': (i) => `<a href="/${i}">${icon}</a>`,
  'seat of a plan': (i) => `<i class="seat" data-seat="A${i}" onclick="void 0"></i>`,
  'heading with link': (i) => `<article><h2><a href="/${i}">Article ${i}</a></h2><p>Text</p></article>`,
  'field in a label': (i) => `<label>Field ${i} <input value="${i}"></label>`,
  'field with a label': (i) => `<label for="f${i}">Field ${i}</label> <input id="f${i}">`,
  'field without a name': () => '<input>',
  'field in a disabled group': (i) => `<fieldset disabled><legend>Group ${i}</legend><input></fieldset>`,
  'described field': (i) => `<span id="d${i}">Note ${i}</span><input aria-label="Field ${i}" aria-describedby="d${i}">`,
  'invalid field': (i) =>
    `<input required aria-invalid="true" aria-label="Field ${i}" aria-errormessage="e${i}"><b id="e${i}">Wrong</b>`,
  textarea: (i) => `<textarea>Text ${i}</textarea>`,
  checkbox: (i) => `<input type="checkbox" aria-label="Box ${i}">`,
  'hidden checkbox': (i) =>
    `<input type="checkbox" id="c${i}" style="opacity:0;position:absolute"><label for="c${i}">Box ${i}</label>`,
  'radio button': (i) => `<input type="radio" name="group" aria-label="Radio ${i}">`,
  select: (i) => `<select aria-label="List ${i}"><option>a<option selected>b</select>`,
  'multiple select': (i) => `<select multiple aria-label="List ${i}"><option selected>a</select>`,
  combobox: (i) => `<input role="combobox" aria-expanded="false" aria-controls="none" aria-label="Box ${i}">`,
  'range slider': (i) => `<input type="range" aria-label="Slider ${i}">`,
  form: (i) => `<form><input name="q" aria-label="Query ${i}"><button>Send</button></form>`,
  editor: (i) => `<div contenteditable>Editor ${i}</div>`,
  details: (i) => `<details><summary>Summary ${i}</summary>Body</details>`,
  'popover button': (i) => `<button popovertarget="p${i}">Open ${i}</button><div popover id="p${i}">Popover</div>`,
  'labelled section': (i) => `<section aria-labelledby="h${i}"><h2 id="h${i}">Section ${i}</h2>text</section>`,
  'owned item': (i) => `<div role="list" aria-owns="o${i}"></div><div id="o${i}" role="listitem">Item ${i}</div>`,
  treeitem: (i) => `<div role="treeitem" aria-level="2" aria-selected="false">Node ${i}</div>`,
  option: (i) => `<div role="option" aria-selected="false">Option ${i}</div>`,
  'marked item': (i) => `<li class="${i === 5 ? 'active' : ''}"><a href="#${i}">Item ${i}</a></li>`,
  'draggable card': (i) => `<div class="card" draggable="true">Card ${i}</div>`,
  'table of three cells': (i) => `<table><tr><th colspan="2">Head ${i}<tr><td>a<td>b</table>`,
  'custom element': (i) => `<x-item>Item ${i}</x-item>`,
  'shadow root': (i) => `<x-shadow>Item ${i}</x-shadow>`,
  'image map': (i) =>
    `<map name="m${i}"><area href="/${i}" coords="0,0,9,9" alt="Area ${i}"></map><img usemap="#m${i}" width="9" height="9" src="data:,">`,
  canvas: () => '<canvas width="20" height="20"></canvas>',
  'absolute box': (i) => `<div style="position:absolute;top:${i * 20}px">Box ${i}</div>`,
  'fixed box': (i) => `<div style="position:fixed;top:${i % 500}px;left:${(i * 7) % 900}px">Box ${i}</div>`,
  'sticky box': (i) => `<div style="position:sticky;top:0">Box ${i}</div>`,
  'card with a corner button': (i) =>
    `<div style="position:relative"><div style="position:absolute;top:0;right:0"><button>x</button></div>Card ${i}</div>`,
  'covered text': (i) =>
    `<div style="position:relative">Text ${i}<div style="position:absolute;inset:0;background:#fff"></div></div>`,
  'cut text': (i) => `<div style="overflow:hidden;width:50px;white-space:nowrap">Text that is cut ${i}</div>`,
  'masked text': (i) => `<div style="mask-image:linear-gradient(#000,#000)">Text ${i}</div>`,
  'white text': (i) => `<div style="color:#fefefe">Text ${i}</div>`,
  'colored text': (i) => `<span style="color:rgb(${i % 255},9,9);background:rgb(250,${i % 255},250)">Text ${i}</span>`,
  'blended text': (i) => `<div style="mix-blend-mode:difference;color:#fff">Text ${i}</div>`,
  'animated text': (i) => `<div style="animation:fade 9s infinite">Text ${i}</div>`,
  'skipped section': (i) =>
    `<div style="content-visibility:auto;contain-intrinsic-size:40px"><button>Button ${i}</button><input></div>`,
  'style sheet': (i) => `<style>.k${i}{color:rgb(${i % 200},0,0)}</style><p class="k${i}">Text ${i}</p>`,
};

const PRELUDE = `<!doctype html><title>Repeated</title><style>@keyframes fade{from{opacity:.5}}.icon{cursor:pointer}</style>
<script>customElements.define('x-item',class extends HTMLElement{});customElements.define('x-shadow',class extends HTMLElement{
constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<slot></slot>'}})</script><main>`;

/** Returns a page with the fragment this many times. */
export function repeatedPage(fragment: string, count: number): string | undefined {
  const make = fragments[fragment];
  return make && PRELUDE + Array.from({ length: count }, (_, index) => make(index)).join('\n');
}
