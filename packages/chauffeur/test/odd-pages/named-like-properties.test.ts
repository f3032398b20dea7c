import { expect, test } from 'vitest';
import { oddPages } from './odd-page.ts';

const odd = oddPages();

/** Names that a form's or a document's own properties have. */
const FORM_NAMES =
  'id tagName parentNode parentElement children nodeType nodeName localName prefix namespaceURI attributes getAttribute hasAttribute matches closest contains isConnected firstChild nextSibling ' +
  'ownerDocument getRootNode checkVisibility getBoundingClientRect getClientRects scrollIntoView scrollTo scrollTop scrollLeft scrollHeight clientHeight clientWidth innerText innerHTML textContent ' +
  'focus isContentEditable shadowRoot assignedSlot style title tabIndex dispatchEvent querySelectorAll';
const DOCUMENT_NAMES =
  'body head documentElement activeElement scrollingElement elementFromPoint createRange createElement createTreeWalker createExpression evaluate querySelector querySelectorAll readyState contentType ' +
  'hidden title URL getAnimations getSelection getElementById defaultView styleSheets children';

test('fields and pictures that are named like properties of the DOM change nothing', async () => {
  await odd.open(`<form onsubmit="return false"><h2>Sign up</h2><label>Your name <input id="name"></label>
      <button onclick="this.textContent = 'Sent'">Send</button><details><summary>More</summary><p>Text</p></details>
      ${FORM_NAMES.split(' ')
        .map((name) => `<input type="hidden" name="${name}">`)
        .join('')}</form>
    ${DOCUMENT_NAMES.split(' ')
      .map((name) => `<img name="${name}" hidden>`)
      .join('')}`);
  expect(await odd.text()).toBe(
    'form\n heading 2 "Sign up"\n e1 textbox "Your name"\n e2 button "Send"\n e3 button "More" collapsed',
  );
  expect((await odd.act('#name', 'fill', 'Ada')).effect).toBe('changed');
  expect((await odd.act('role=button[name="Send"]')).actions?.[0]?.selector).toBe(
    'xpath=/html[1]/body[1]/form[1]/button[1]',
  );
  expect((await odd.act('//form//button')).message).toContain('click on button "Sent"');
  expect((await odd.act('text=More')).effect).toBe('opened');
  await odd.page.locator('form').click();
  expect(await odd.page.locator('form').innerText()).toContain('Sign up');
  expect(await odd.page.locator('form').boundingBox()).toMatchObject({ x: 8 });
  expect(await odd.page.locator('xpath=//form/h2[contains(., "Sign")]').count()).toBe(1);
  await odd.page.locator('form').scrollTo(100);
  expect((await odd.driver.observe()).map(({ selector }) => selector)).toContain(
    'xpath=/html[1]/body[1]/form[1]/label[1]/input[1]',
  );
});
