import type { Choice } from './cache-bench.ts';

/** A small shop with several views at addresses of their own, as written or with other ids, classes, boxes and order. */
export function shopApplication(isAnew: boolean): string {
  return `<title>Shop</title><body><script>const isAnew = ${isAnew};</script><script>
  let number = 0;
  const order = (parts) => (isAnew ? parts.toReversed() : parts).join('');
  const id = (name) => isAnew ? 'x' + (number += 1) : name;
  const box = (html) => isAnew ? '<div class="css-' + (number += 3) + '"><div>' + html + '</div></div>' : html;
  const state = { cart: [], orders: [], profile: {}, wishes: [], theme: 'Light', log: [] };
  const done = (what) => { state.log.push(what); render(); };
  const products = [['Blue mug', 12], ['Red mug', 13], ['Tea pot', 40], ['Spoon', 3]];

  const nav = () => box('<nav aria-label="Main">' + order([
    '<a href="#/products">Products</a> ', '<a href="#/cart">Cart (' + state.cart.length + ')</a> ',
    '<a href="#/profile">Profile</a> ', '<a href="#/orders">Orders</a> ']) + '</nav>');
  const button = (name, code) => '<button id="' + id('b') + '" onclick="' + code + '">' + name + '</button> ';
  const field = (label, key) => { const it = id('f-' + key);
    return '<p><label for="' + it + '">' + label + '</label> <input id="' + it + '" value="' + (state.profile[key] ?? '') +
      '" onchange="state.profile.' + key + ' = this.value; state.log.push(\\'' + key + '=\\' + this.value)"></p>'; };

  const views = {
    products: () => '<h1>Products</h1>' + order([
      box('<div role="search"><label>Search <input id="' + id('q') + '" onchange="state.log.push(\\'search \\' + this.value)"></label></div>'),
      box('<div class="list">' + order(products.map(([name, price]) => box('<div class="card"><h2>' + name + '</h2><p>' + price + '.00</p>' +
        order([button('Add to cart', "state.cart.push('" + name + "'); done('add " + name + "')"),
          button('Wish', "state.wishes.push('" + name + "'); done('wish " + name + "')")]) + '</div>'))) + '</div>')]),
    cart: () => '<h1>Cart</h1>' + order([
      box('<table><thead><tr><th>Article</th><th>Action</th></tr></thead><tbody>' + order(state.cart.map((name, index) => '<tr><td>' + name + '</td><td>' +
        button('Remove', "state.cart.splice(" + index + ", 1); done('remove " + name + "')") + '</td></tr>')) + '</tbody></table>'),
      box('<div class="pay">' + field('Voucher', 'voucher') + button('Order now', "state.orders.push(state.cart); state.cart = []; location.hash = '/orders'; done('order')") + '</div>')]),
    profile: () => '<h1>Profile</h1>' + order([
      box('<section><h2>Address</h2>' + order([field('Street', 'street'), field('City', 'city')]) + button('Save', "done('save address')") + '</section>'),
      box('<section><h2>Contact</h2>' + order([field('E-mail', 'mail'), field('Phone', 'phone')]) + button('Save', "done('save contact')") + '</section>'),
      box('<section><h2>Look</h2><label>Theme <select onchange="done(\\'theme \\' + this.value)"><option>Light</option><option>Dark</option></select></label>' +
        '<label><input type="checkbox" onchange="state.log.push(\\'letters \\' + this.checked)"> Send me letters</label></section>')]),
    orders: () => '<h1>Orders</h1><ul>' + order(['<li>First order <button onclick="done(\\'repeat\\')">Order again</button></li>',
      '<li>Old order <button onclick="done(\\'repeat old\\')">Order again</button></li>']) + '</ul>',
  };
  const foot = () => box('<footer><a href="#/products">Products</a> ' + button('Say hello', "done('hello')") + '</footer>');
  function render() {
    const view = location.hash.replace('#/', '') || 'products';
    document.body.innerHTML = '<div id="root">' + order([nav(), box('<main>' + views[view]() + '</main>'), foot()]) + '</div>';
  }
  addEventListener('hashchange', render);
  render();
  </script>`;
}

/** What is asked of the shop, one after the other, and what a model would choose. */
export const shopFlow: readonly (readonly [instruction: string, choice: Choice])[] = [
  ['search for %what%', { role: 'textbox', name: 'Search', method: 'fill', arguments: ['%what%'] }],
  ['add the blue mug to the cart', { role: 'button', name: 'Add to cart', nth: 0 }],
  ['add the tea pot to the cart', { role: 'button', name: 'Add to cart', nth: 2 }],
  ['wish for a spoon', { role: 'button', name: 'Wish', nth: 3 }],
  ['open the cart', { role: 'link', name: 'Cart (2)' }],
  ['remove the tea pot', { role: 'button', name: 'Remove', nth: 1 }],
  ['fill in the voucher %code%', { role: 'textbox', name: 'Voucher', method: 'fill', arguments: ['%code%'] }],
  ['open the profile', { role: 'link', name: 'Profile' }],
  ['fill in the street %street%', { role: 'textbox', name: 'Street', method: 'fill', arguments: ['%street%'] }],
  ['fill in the city with Bonn', { role: 'textbox', name: 'City', method: 'fill', arguments: ['Bonn'] }],
  ['save the address', { role: 'button', name: 'Save', nth: 0 }],
  ['enter the e-mail %mail%', { role: 'textbox', name: 'E-mail', method: 'fill', arguments: ['%mail%'] }],
  ['save the contact', { role: 'button', name: 'Save', nth: 1 }],
  ['choose the dark theme', { role: 'combobox', name: 'Theme', method: 'select', arguments: ['Dark'] }],
  ['check that letters are sent', { role: 'checkbox', name: 'Send me letters', method: 'check' }],
  ['open the cart', { role: 'link', name: 'Cart (1)' }],
  ['order now', { role: 'button', name: 'Order now' }],
  ['repeat the old order', { role: 'button', name: 'Order again', nth: 1 }],
  ['say hello', { role: 'button', name: 'Say hello' }],
  ['click Products in the navigation', { role: 'link', name: 'Products', nth: 0 }],
];
