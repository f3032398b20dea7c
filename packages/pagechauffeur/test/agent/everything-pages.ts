import type { TestServer } from '../support/serve.ts';

/** Tells the server that something was done. */
const NOTE = `<script>function note(what) { fetch('/note?' + encodeURIComponent(what)); document.body.append(' ' + what.split(' ')[0]); }</script>`;

const START = (otherOrigin: string): string => `<!doctype html><title>Workshop</title>${NOTE}<h1>Workshop</h1>
<form onsubmit="event.preventDefault(); note('sent ' + [who.value, about.value, land.value, when.value, how.value, terms.checked, fast.checked].join('|'))">
  <label>Name <input id=who></label>
  <label>About <textarea id=about>Hello,
Dear </textarea></label>
  <label>Country <select id=land><option>France<option>Spain<option>Peru</select></label>
  <label>Date <input type=date id=when></label>
  <label>Amount <input type=range id=how max=10 value=1></label>
  <label><input type=checkbox id=terms> Terms</label>
  <label><input type=radio name=speed id=slow checked> Slow</label><label><input type=radio name=speed id=fast> Fast</label>
  <label>Search <input id=search onkeydown="if (event.key === 'Enter') { event.preventDefault(); note('searched ' + this.value) }"></label>
  <button>Send</button></form>
<table><tr><th>Name</th><th>Action</th></tr><tr><td>Ada</td><td><button type=button onclick="note('deleted Ada')">Delete</button></td></tr>
  <tr><td>Bob</td><td><button type=button onclick="note('deleted Bob')">Delete</button></td></tr></table>
<label>File <input type=file onchange="note('file ' + this.files[0].name)"></label>
<button onclick="picker.click()">Attach</button><input type=file id=picker hidden onchange="note('attached ' + this.files[0].name)">
<p draggable=true id=card role=button aria-label="Card" style="width: 80px" ondragstart="event.dataTransfer.setData('text/plain', 'card')">Card</p>
<p role=button aria-label="Tray" style="width: 80px; padding: 20px" ondragover="event.preventDefault()" ondrop="event.preventDefault(); note('dropped ' + event.dataTransfer.getData('text/plain'))">Tray</p>
<div id=host></div><script>
  host.attachShadow({ mode: 'open' }).innerHTML = '<button>In the shadow</button>';
  host.shadowRoot.querySelector('button').onclick = () => note('shadow');
</script>
<iframe name=inner srcdoc="<button onclick=&quot;parent.note('frame')&quot;>In the frame</button>"></iframe>
<iframe title="Partner" src="${otherOrigin}/partner"></iframe>
<button ondblclick="note('double')">Twice</button><button oncontextmenu="event.preventDefault(); note('right')">Other side</button>
<button style="text-transform: uppercase" onmouseover="note('hovered')">Hover me</button>
<button onclick="note('confirmed ' + confirm('Sure?'))">Confirm</button>
<button onclick="note('prompted ' + prompt('Name?'))">Ask</button>
<a href="/report.txt" download>Report</a>
<a href="/details" target=_blank>Details</a>
<button onclick="setTimeout(() => late.textContent = 'It is ready', 200)">Begin</button><p id=late></p>
<a href="/shop">Shop</a>`;

const PAGES: Readonly<Record<string, string>> = {
  '/partner': `<!doctype html>${NOTE}<button onclick="note('partner')">In the other frame</button>`,
  '/details': `<!doctype html>${NOTE}<title>Details</title><button onclick="note('details')">Accept</button>`,
  '/shop': `<!doctype html>${NOTE}<title>Shop</title><button onclick="note('bought')">Buy</button>`,
};

/** A site with one of everything that can be acted on, which notes what was done to it. */
export interface EverythingSite {
  readonly url: string;
  /** What was done since it was asked last. */
  takeNotes(): readonly string[];
}

/** Adds the site to a server. */
export function everythingSite(server: TestServer): EverythingSite {
  let notes: string[] = [];
  server.page('/note', (request, response) => {
    notes.push(decodeURIComponent(new URL(request.url ?? '', server.origin).search.slice(1)));
    response.end();
  });
  server.page('/report.txt', (_request, response) => {
    response.setHeader('content-disposition', 'attachment; filename=report.txt').end('All is well.');
  });
  for (const [path, html] of Object.entries(PAGES)) server.page(path, html);
  return {
    url: server.page('/start', START(server.otherOrigin)),
    takeNotes() {
      const taken = notes;
      notes = [];
      return taken;
    },
  };
}
