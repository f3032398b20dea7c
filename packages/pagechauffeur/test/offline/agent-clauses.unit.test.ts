import { describe, expect, test } from 'vitest';
import type { ClauseRequest } from '../../src/offline/agent/clause.ts';
import { readClause } from '../../src/offline/agent/read-clause.ts';
import { spelledOut } from '../../src/offline/agent/pronouns.ts';
import { splitClauses } from '../../src/offline/agent/split-clauses.ts';

describe('splitClauses()', () => {
  test.each<[string, ...string[]]>([
    ['click Save', 'click Save'],
    [
      'log in with %user% and %password%, open the second order, download its invoice',
      'log in with %user% and %password%',
      'open the second order',
      'download its invoice',
    ],
    [
      'Log in as "ada" with password "x and y", then open the cart.',
      'Log in as "ada" with password "x and y"',
      'open the cart',
    ],
    ['open the cart and check out', 'open the cart', 'check out'],
    ['In the cart click Remove, then click Save', 'In the cart click Remove', 'click Save'],
    [
      'In the billing address, set the city to Bonn and click Save',
      'In the billing address, set the city to Bonn',
      'click Save',
    ],
    [
      'find who has most points and press Message on that card',
      'find who has most points',
      'press Message on that card',
    ],
    ['open the cart then check out', 'open the cart', 'check out'],
    ['open the cart, and then check out', 'open the cart', 'check out'],
    ['open the cart. After that, check out.', 'open the cart', 'check out'],
    ['open the cart, afterwards go back', 'open the cart', 'go back'],
    ['open the cart; check out; pay', 'open the cart', 'check out', 'pay'],
    ['Log in. Open the Orders page. Delete order No. 5.', 'Log in', 'Open the Orders page', 'Delete order No. 5'],
    [
      'First, open the settings. Next, turn on dark mode. Finally, save.',
      'open the settings',
      'turn on dark mode',
      'save',
    ],
    ['1. log in 2. open the orders 3. log out', 'log in', 'open the orders', 'log out'],
    ['1) log in\n2) open the orders\n3) log out', 'log in', 'open the orders', 'log out'],
    [
      '- log in with %a% and %b%\n- open orders\n- tell me the total',
      'log in with %a% and %b%',
      'open orders',
      'tell me the total',
    ],
    ['log in\nopen the orders\nlog out', 'log in', 'open the orders', 'log out'],
    ['• open the menu\n  of the second row\n• choose Delete', 'open the menu of the second row', 'choose Delete'],
    ['Step 1: open the menu\nStep 2: choose Settings', 'open the menu', 'choose Settings'],
    ['please could you open the menu; choose Settings', 'open the menu', 'choose Settings'],
    ['I want you to open the menu and choose Settings, please.', 'open the menu', 'choose Settings'],
    [
      'type "hello, and click Save" into the message field and send it',
      'type "hello, and click Save" into the message field',
      'send it',
    ],
    ['click "Save, then close" and go back', 'click "Save, then close"', 'go back'],
    ["enter 'Ada; Grace' as the name and submit", "enter 'Ada; Grace' as the name", 'submit'],
    ['enter Ada and Lovelace as first and last name', 'enter Ada and Lovelace as first and last name'],
    [
      'enter Ada as first name and Lovelace as last name and press Enter',
      'enter Ada as first name and Lovelace as last name',
      'press Enter',
    ],
    [
      'fill the form with name Ada, e-mail a@b.c, and phone 123, then submit it',
      'fill the form with name Ada, e-mail a@b.c, and phone 123',
      'submit it',
    ],
    ['fill in the form: name Ada, order 5, comment none', 'fill in the form: name Ada, order 5, comment none'],
    ['fill in first name: Ada; last name: Lovelace; then save', 'fill in first name: Ada; last name: Lovelace', 'save'],
    ['fill in name and comment and submit', 'fill in name and comment', 'submit'],
    ['set the name to Ada and the city to Paris', 'set the name to Ada and the city to Paris'],
    ['search for salt and pepper', 'search for salt and pepper'],
    ['search for mugs and open the first result', 'search for mugs', 'open the first result'],
    ['type mugs and search', 'type mugs', 'search'],
    ['select Red, Green and Blue', 'select Red, Green and Blue'],
    ['tick the terms and the newsletter, and submit', 'tick the terms and the newsletter', 'submit'],
    ['click Save and close', 'click Save and close'],
    ['click Accept and continue', 'click Accept and continue'],
    ['save and close the dialog', 'save', 'close the dialog'],
    ['read and accept the terms', 'read and accept the terms'],
    ['mark it as done and archive it', 'mark it as done', 'archive it'],
    ['copy the link and paste it into the field', 'copy the link', 'paste it into the field'],
    ['drag the card to Done and drop it', 'drag the card to Done and drop it'],
    ['click Edit, then Save', 'click Edit', 'Save'],
    ['click Edit, then the blue one', 'click Edit', 'click the blue one'],
    ['open File, then Export', 'open File', 'Export'],
    [
      'choose Germany from the country list and Express as the delivery speed',
      'choose Germany from the country list and Express as the delivery speed',
    ],
    [
      'go to https://shop.test/a,b and click Start. Then wait until "Done" appears.',
      'go to https://shop.test/a,b',
      'click Start',
      'wait until "Done" appears',
    ],
    ['open shop.test, log in', 'open shop.test', 'log in'],
    ['wait for the results and open the first one', 'wait for the results', 'open the first one'],
    ['when the results appear, open the first one', 'wait until the results appear', 'open the first one'],
    ['after logging in with %u% and %p%, open the orders', 'log in with %u% and %p%', 'open the orders'],
    [
      'if there is a cookie banner, accept it, then open the shop',
      'if there is a cookie banner, accept it',
      'open the shop',
    ],
    [
      'check that the total is €12.00 and tell me the order number',
      'check that the total is €12.00',
      'tell me the order number',
    ],
    ['check the terms and click Next', 'check the terms', 'click Next'],
    ['check out and pay', 'check out', 'pay'],
    ['click Delete, confirm the dialog', 'click Delete', 'confirm the dialog'],
    [
      'click Delete, accept the dialog and check that "Gone" is shown',
      'click Delete',
      'accept the dialog',
      'check that "Gone" is shown',
    ],
    ['open the first result in a new tab and switch to it', 'open the first result in a new tab', 'switch to it'],
    ['add the blue mug to the cart and the red mug too', 'add the blue mug to the cart and the red mug too'],
    ['add the blue mug to the cart, open it and check out', 'add the blue mug to the cart', 'open it', 'check out'],
    [
      'open the orders page, sort by date, open the first order and read me its total',
      'open the orders page',
      'sort by date',
      'open the first order',
      'read me its total',
    ],
    ['click "Next" until "Order 12" appears', 'click "Next" until "Order 12" appears'],
    ['scroll down and click the last link', 'scroll down', 'click the last link'],
    ['click the next button', 'click the next button'],
    ['go to page 2, open the third product', 'go to page 2', 'open the third product'],
    ['delete the row of Acme & confirm', 'delete the row of Acme', 'confirm'],
    ['hover over Products and click Mugs', 'hover over Products', 'click Mugs'],
    ['upload cv.pdf as attachment and send the form', 'upload cv.pdf as attachment', 'send the form'],
    ['write to Dr. Smith, then log out', 'write to Dr. Smith', 'log out'],
    ['do not subscribe, but place the order', 'do not subscribe', 'place the order'],
    ['turn off notifications and sign out!', 'turn off notifications', 'sign out!'],
  ])('splits "%s"', (instruction, ...clauses) => {
    expect(splitClauses(instruction)).toEqual(clauses);
  });

  test('returns no clauses for a blank instruction', () => {
    expect(splitClauses(' \n ')).toEqual([]);
  });

  test('splits an instruction of 2,000 clauses', () => {
    expect(splitClauses('open the cart, '.repeat(2000))).toHaveLength(2000);
  });
});

describe('readClause()', () => {
  test.each<[string, ClauseRequest]>([
    ['click Save', { kind: 'act' }],
    ['open the second order', { kind: 'act' }],
    ['go to the orders page', { kind: 'act' }],
    ['open report.pdf', { kind: 'act' }],
    ['check the box that says I agree', { kind: 'act' }],
    ['sign in with Google', { kind: 'act' }],
    ['enter milk, eggs and flour', { kind: 'act' }],
    ['put salt and pepper on the list', { kind: 'act' }],
    ['show only open orders', { kind: 'act' }],
    ['go to https://shop.test/a,b', { kind: 'navigate', url: 'https://shop.test/a,b', isNewTab: false }],
    ['open shop.test in a new tab', { kind: 'navigate', url: 'shop.test', isNewTab: true }],
    ['go to %start%', { kind: 'navigate', url: '%start%', isNewTab: false }],
    ['go back', { kind: 'back', to: null }],
    ['return to the previous page', { kind: 'back', to: null }],
    ['go back to the orders', { kind: 'back', to: 'the orders' }],
    ['refresh the page', { kind: 'reload' }],
    ['open a new tab', { kind: 'newTab', target: null }],
    ['open the first result in a new tab', { kind: 'newTab', target: 'the first result' }],
    ['switch to the second tab', { kind: 'switchTab', which: 'the second tab' }],
    ['close this tab', { kind: 'closeTab' }],
    ['wait for the page to load', { kind: 'wait', claim: null }],
    ['wait 3 seconds', { kind: 'wait', claim: null }],
    ['wait until "Done" appears', { kind: 'wait', claim: { words: '"Done"', isNegated: false } }],
    ['wait for the spinner to disappear', { kind: 'wait', claim: { words: 'the spinner', isNegated: true } }],
    ['accept the dialog', { kind: 'dialog', accept: true, text: null }],
    ['dismiss the confirmation', { kind: 'dialog', accept: false, text: null }],
    ['answer the prompt with "Ada"', { kind: 'dialog', accept: true, text: 'Ada' }],
    ['check that the total is €12', { kind: 'check', claim: { words: 'the total is €12', isNegated: false } }],
    ['make sure "Saved" is shown', { kind: 'check', claim: { words: '"Saved"', isNegated: false } }],
    ['verify there is no error message', { kind: 'check', claim: { words: 'error message', isNegated: true } }],
    ['tell me what the total is', { kind: 'read', question: 'what the total is' }],
    ['what is the total?', { kind: 'read', question: 'what is the total' }],
    ['read its price', { kind: 'read', question: 'its price' }],
    ['search for blue mug', { kind: 'search', value: 'blue mug', location: null }],
    ['search the catalogue for "blue mug"', { kind: 'search', value: 'blue mug', location: 'the catalogue' }],
    ['find the blue mug', { kind: 'find', value: 'blue mug', location: null }],
    ['download the invoice', { kind: 'download', target: 'the invoice', path: null }],
    ['download the invoice as "my files/in.pdf"', { kind: 'download', target: 'the invoice', path: 'my files/in.pdf' }],
    ['submit the form', { kind: 'submit' }],
    [
      'complete the shipping address: street "Quay 4", city Porto',
      {
        kind: 'form',
        location: 'the shipping address',
        values: [
          { field: 'street', value: 'Quay 4' },
          { field: '', value: 'city Porto' },
        ],
      },
    ],
    ['subscribe a@b.c to the newsletter', { kind: 'subscribe', field: 'the newsletter', value: 'a@b.c' }],
    ['return the order TW-2', { kind: 'act' }],
    ['go to the home page', { kind: 'home', isNewTab: false }],
    ['log in with ada and x y', { kind: 'logIn', values: [] }],
    ['do not subscribe', { kind: 'avoid' }],
    ['repeat this for every order', { kind: 'beyond' }],
    [
      'log in with %user% and %password%',
      {
        kind: 'logIn',
        values: [
          { field: 'user name', value: '%user%' },
          { field: 'password', value: '%password%' },
        ],
      },
    ],
    [
      'sign in to the shop with the e-mail a@b.c and the password hunter2',
      {
        kind: 'logIn',
        values: [
          { field: 'e-mail', value: 'a@b.c' },
          { field: 'password', value: 'hunter2' },
        ],
      },
    ],
    [
      'log in as ada using %pin%',
      {
        kind: 'logIn',
        values: [
          { field: 'user name', value: 'ada' },
          { field: 'password', value: '%pin%' },
        ],
      },
    ],
    [
      'enter %user% and %password%',
      {
        kind: 'form',
        location: null,
        values: [
          { field: 'user', value: '%user%' },
          { field: 'password', value: '%password%' },
        ],
      },
    ],
    [
      'enter Ada and Lovelace as first and last name',
      {
        kind: 'form',
        location: null,
        values: [
          { field: 'first name', value: 'Ada' },
          { field: 'last name', value: 'Lovelace' },
        ],
      },
    ],
    [
      'fill in: name: Ada, city: "New York"',
      {
        kind: 'form',
        location: null,
        values: [
          { field: 'name', value: 'Ada' },
          { field: 'city', value: 'New York' },
        ],
      },
    ],
    [
      'fill the form with name Ada Lovelace, phone 123',
      {
        kind: 'form',
        location: null,
        values: [
          { field: '', value: 'name Ada Lovelace' },
          { field: '', value: 'phone 123' },
        ],
      },
    ],
    [
      'set the name to Ada and the city to Paris',
      {
        kind: 'form',
        location: null,
        values: [
          { field: 'name', value: 'Ada' },
          { field: 'city', value: 'Paris' },
        ],
      },
    ],
    [
      'click "Next" until "Order 12" appears',
      {
        kind: 'until',
        repeated: { words: 'click "Next"', asked: { kind: 'act' } },
        claim: { words: '"Order 12"', isNegated: false },
      },
    ],
    [
      'click the plus button three times',
      { kind: 'times', repeated: { words: 'click the plus button', asked: { kind: 'act' } }, count: 3 },
    ],
    [
      'if there is a cookie banner, accept it',
      {
        kind: 'if',
        claim: { words: 'a cookie banner', isNegated: false },
        inner: { words: 'accept it', asked: { kind: 'act' } },
      },
    ],
    [
      'accept the cookies if there are any',
      {
        kind: 'if',
        claim: { words: '', isNegated: false },
        inner: { words: 'accept the cookies', asked: { kind: 'act' } },
      },
    ],
  ])('parses "%s"', (words, asked) => {
    expect(readClause(words).asked).toEqual(asked);
  });
});

describe('spelledOut()', () => {
  const earlier = [{ clause: readClause('empty the card filter'), pastCalls: [], part: 0, answer: undefined }];

  test.each([
    ['type "FAQ" into it', 'type "FAQ" into the card filter'],
    ['click it', 'click the card filter'],
    ['click "Confirm changes to this note"', 'click "Confirm changes to this note"'],
    ['move the card into this column', 'move the card into this column'],
  ])('rewrites "%s" as "%s"', (words, expected) => {
    expect(spelledOut(words, { earlier })[0]).toBe(expected);
  });
});
