/** Pages and what is done on them. What is right is known by `k`, which no fingerprint has. */

/** A step: what is asked for, and what a model would choose for it. */
export interface PageStep {
  readonly instruction: string;
  readonly role: string;
  readonly name: string;
  /** Which of the elements of that role and name, from 0. */
  readonly nth?: number;
  readonly method?: string;
  readonly text?: string;
  /** The `k` of the element that is meant. */
  readonly k: string;
}

/** A page that comes in two arrangements: children of `shuffle` change their order, what has `wrap` gets boxes around it. */
export interface ArrangedPage {
  readonly title: string;
  readonly html: string;
  readonly steps: readonly PageStep[];
}

const click = (
  k: string,
  instruction: string,
  [role, name, nth = 0]: readonly [string, string, number?],
): PageStep => ({
  instruction,
  role,
  name,
  nth,
  k,
});
const fill = (k: string, instruction: string, name: string, nth = 0): PageStep => ({
  instruction,
  role: 'textbox',
  name,
  nth,
  method: 'fill',
  text: 'some text',
  k,
});

const people = ['Ada', 'Grace', 'Edsger', 'Barbara'];
const mugs = ['Blue mug', 'Red mug', 'Green mug', 'Tea cup'];
const icons = { up: 'M1 9l8-8 8 8z', down: 'M1 1l8 8 8-8z', bin: 'M4 4h10v12H4z' };

export const arrangedPages: readonly ArrangedPage[] = [
  {
    title: 'a table with the same buttons in each row',
    html: `<h1>Staff</h1><table id="staff"><thead><tr shuffle><th>Name</th><th>Role</th><th></th></tr></thead><tbody shuffle>${people
      .map(
        (name, index) =>
          `<tr class="row" id="r-${index}" shuffle><td>${name}</td><td>${index % 2 ? 'Editor' : 'Author'}</td>
          <td><button id="edit-${index}" k="edit-${name}">Edit</button> <button k="delete-${name}">Delete</button></td></tr>`,
      )
      .join('')}</tbody></table>`,
    steps: [
      click('edit-Grace', 'edit Grace', ['button', 'Edit', 1]),
      click('delete-Barbara', 'delete the entry of Barbara', ['button', 'Delete', 3]),
      click('edit-Ada', 'edit Ada', ['button', 'Edit', 0]),
    ],
  },
  {
    title: 'cards with headings',
    html: `<h1>Mugs</h1><div id="cards" shuffle>${mugs
      .map(
        (name, index) =>
          `<div class="card c${index}" wrap><h3>${name}</h3><p>${12 + index}.00</p><button k="add-${name}">Add to cart</button></div>`,
      )
      .join('')}</div>`,
    steps: [
      click('add-Red mug', 'add the red mug to the cart', ['button', 'Add to cart', 1]),
      click('add-Tea cup', 'put a tea cup into the cart', ['button', 'Add to cart', 3]),
      click('add-Blue mug', 'add the blue mug to the cart', ['button', 'Add to cart', 0]),
    ],
  },
  {
    title: 'cards without headings',
    html: `<div id="list" shuffle>${mugs
      .map(
        (name, index) =>
          `<div class="item" wrap><span class="t">${name}</span><span>${12 + index}.00</span><a href="/mugs/${index}" onclick="return false" k="more-${name}">More</a></div>`,
      )
      .join('')}</div>`,
    steps: [
      click('more-Green mug', 'show more of the green mug', ['link', 'More', 2]),
      click('more-Blue mug', 'show more of the blue mug', ['link', 'More', 0]),
    ],
  },
  {
    title: 'a form',
    html: `<form id="f" onsubmit="return false" shuffle><p><label for="in1">First name</label> <input id="in1" k="first"></p>
      <p><label for="in2">Last name</label> <input id="in2" k="last"></p>
      <p><label>Street <input class="s" k="street"></label></p><p><input placeholder="City" k="city"></p>
      <p><label><input type="checkbox" id="terms" k="terms"> I accept the terms</label></p><p><button k="send">Send order</button></p></form>`,
    steps: [
      fill('first', 'fill in the first name with some text', 'First name'),
      fill('last', 'fill in the last name with some text', 'Last name'),
      fill('street', 'enter the street with some text', 'Street'),
      fill('city', 'enter the city with some text', 'City'),
      click('terms', 'accept the terms', ['checkbox', 'I accept the terms']),
      click('send', 'send the order', ['button', 'Send order']),
    ],
  },
  {
    title: 'sections with the same buttons under headings',
    html: `<h1>Settings</h1><main shuffle>${['Profile', 'Billing', 'Security']
      .map(
        (name) =>
          `<section wrap id="s-${name}"><h2>${name}</h2><p>All about ${name}.</p><label>E-mail <input k="mail-${name}"></label><button k="save-${name}">Save</button></section>`,
      )
      .join('')}</main>`,
    steps: [
      click('save-Billing', 'save the billing settings', ['button', 'Save', 1]),
      fill('mail-Security', 'fill in the e-mail for security with some text', 'E-mail', 2),
      click('save-Profile', 'save the profile', ['button', 'Save', 0]),
    ],
  },
  {
    title: 'the same links in the head and the foot of a page',
    html: `<div shuffle><header wrap><nav aria-label="Main"><a href="#a" k="nav-help">Help</a> <a href="#b" k="nav-blog">Blog</a></nav></header>
      <div class="content" wrap><h1>Welcome</h1><p>Hello there.</p><button k="start">Get started</button></div>
      <footer wrap><a href="#a" k="foot-help">Help</a> <a href="#c" k="foot-imprint">Imprint</a></footer></div>`,
    steps: [
      click('nav-help', 'click Help in the main navigation', ['link', 'Help', 0]),
      click('foot-help', 'click Help in the footer', ['link', 'Help', 1]),
      click('start', 'get started', ['button', 'Get started']),
      click('foot-imprint', 'open the imprint', ['link', 'Imprint']),
    ],
  },
  {
    title: 'buttons with pictures only',
    html: `<ul shuffle>${['Milk', 'Bread', 'Eggs']
      .map(
        (name) =>
          `<li class="li-${name}"><span>${name}</span>${Object.entries(icons)
            .map(
              ([icon, d]) =>
                `<button class="b" k="${icon}-${name}"><svg width="18" height="18"><path d="${d}"/></svg></button>`,
            )
            .join('')}</li>`,
      )
      .join('')}</ul>`,
    steps: [
      click('bin-Bread', 'remove bread', ['button', '', 5]),
      click('up-Eggs', 'move the eggs up', ['button', '', 6]),
      click('down-Milk', 'move milk down', ['button', '', 1]),
    ],
  },
  {
    title: 'articles',
    html: `<h1>News</h1><div shuffle>${['Rain in spring', 'Trains are late', 'A new bridge']
      .map(
        (name) =>
          `<article wrap aria-label="${name}"><p>${name}: a long story.</p><button k="like-${name}">Like</button> <button k="share-${name}">Share</button></article>`,
      )
      .join('')}</div>`,
    steps: [
      click('like-Trains are late', 'like the article about trains', ['button', 'Like', 1]),
      click('share-A new bridge', 'share the one on the bridge', ['button', 'Share', 2]),
    ],
  },
  {
    title: 'a grid of unnamed checkboxes',
    html: `<table><thead><tr><th>Who</th><th>Read</th><th>Write</th></tr></thead><tbody shuffle>${people
      .map(
        (name) =>
          `<tr><td>${name}</td><td><input type="checkbox" k="read-${name}"></td><td><input type="checkbox" k="write-${name}"></td></tr>`,
      )
      .join('')}</tbody></table>`,
    steps: [
      click('write-Grace', 'let Grace write', ['checkbox', '', 3]),
      click('read-Barbara', 'let Barbara read', ['checkbox', '', 6]),
    ],
  },
  {
    title: 'choices in groups',
    html: `<div shuffle><fieldset wrap><legend>Size</legend><label><input type="radio" name="size" value="m" k="size-m"> Medium</label><label><input type="radio" name="size" value="l" k="size-l"> Large</label></fieldset>
      <fieldset wrap><legend>Fit</legend><label><input type="radio" name="fit" value="m" k="fit-m"> Medium</label><label><input type="radio" name="fit" value="l" k="fit-l"> Large</label></fieldset>
      <p><label>Colour <select id="colour" k="colour"><option>Red</option><option>Blue</option></select></label></p></div>`,
    steps: [
      click('fit-l', 'choose the large fit', ['radio', 'Large', 1]),
      click('size-m', 'choose the medium size', ['radio', 'Medium', 0]),
      {
        instruction: 'choose blue as the colour',
        role: 'combobox',
        name: 'Colour',
        method: 'select',
        text: 'Blue',
        k: 'colour',
      },
    ],
  },
  {
    title: 'parts of the page in shadow roots',
    html: `<div shuffle>${['North', 'South'].map((name) => `<x-card place="${name}" wrap></x-card>`).join('')}</div><script>
      customElements.define('x-card', class extends HTMLElement {
        #root = this.attachShadow({ mode: this.getAttribute('place') === 'South' ? 'closed' : 'open' });
        connectedCallback() {
          const place = this.getAttribute('place');
          this.#root.innerHTML = '<h2>' + place + '</h2><button onclick="hits.push(this.getAttribute(\\'k\\'))" k="go-' + place + '">Go there</button>';
        }
      })</script>`,
    steps: [
      click('go-South', 'go to the south', ['button', 'Go there', 1]),
      click('go-North', 'go to the north', ['button', 'Go there', 0]),
    ],
  },
  {
    title: 'frames with the same form',
    html: `<div shuffle>${['one', 'two'].map((name) => `<iframe wrap src="/frame-${name}" width="300" height="120"></iframe>`).join('')}</div>`,
    steps: [
      click('sign-two', 'sign up for letter two', ['button', 'Sign up', 1]),
      fill('mail-one', 'fill in the address for letter one with some text', 'Address', 0),
    ],
  },
];

/** The document of a page: as written, or rearranged with other ids and classes. */
export function arrangedHtml({ title, html }: ArrangedPage, isAnew: boolean): string {
  return `<!doctype html><title>${title}</title><body>${html}${REPORT}${isAnew ? ARRANGE_ANEW : ''}`;
}

/** What a frame of these pages shows. */
export function frameHtml(name: string): string {
  return `<!doctype html><title>${name}</title><h2>Letter ${name}</h2><label>Address <input k="mail-${name}"></label><button k="sign-${name}">Sign up</button>${REPORT}`;
}

const REPORT = `<script>
  top.hits ??= [];
  for (const type of ['click', 'input']) addEventListener(type, (event) => {
    const element = event.composedPath().find((node) => node.getAttribute?.('k'));
    const isFieldClicked = type === 'click' && element?.matches('input:not([type=checkbox], [type=radio]), select');
    const k = element?.getAttribute('k');
    if (!k || isFieldClicked || top.hits.at(-1) === k) return;
    top.hits.push(k);
    document.body.append('.');
  }, true);
</script>`;

const ARRANGE_ANEW = `<script>
  for (const parent of document.querySelectorAll('[shuffle]')) parent.append(...[...parent.children].reverse());
  for (const part of document.querySelectorAll('[wrap]')) {
    const [outer, inner] = [document.createElement('div'), document.createElement('div')];
    part.replaceWith(outer);
    outer.append(inner);
    inner.append(part);
  }
  let number = 0;
  for (const element of document.body.querySelectorAll('*')) {
    if (element.id) {
      const id = 'new-' + (number += 1);
      document.querySelector('[for="' + element.id + '"]')?.setAttribute('for', id);
      element.id = id;
    }
    if (element.className.baseVal === undefined) element.className = 'css-' + (number += 7).toString(36);
  }
</script>`;
