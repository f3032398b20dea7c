/** Sends JSON to the shop and gives its answer, or throws what it says. */
export async function send(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** Shows a message for a while. */
export function toast(text) {
  const item = document.createElement('p');
  item.className = 'toast';
  item.textContent = text;
  document.querySelector('.toasts').append(item);
  setTimeout(() => item.remove(), 4000);
}

async function addToCart({ dataset }) {
  const box = document.querySelector('.buy');
  const { count } = await send('/api/cart', {
    slug: dataset.add,
    quantity: box?.querySelector('quantity-picker')?.value ?? 1,
    giftWrap: box?.querySelector('#gift')?.checked ?? false,
  });
  document.querySelector('.cart .count').textContent = count;
  toast(`${dataset.name} is in your cart`);
}

async function removeLine({ dataset }) {
  await send('/api/cart/remove', { slug: dataset.remove });
  location.reload();
}

async function toggleFavourite(button) {
  await send('/api/favourites', { slug: button.dataset.favourite });
  button.setAttribute('aria-pressed', 'true');
}

async function requestReturn(button) {
  await send('/api/returns', { number: button.dataset.return });
  button.disabled = true;
  button.closest('tr').querySelector('[data-status]').textContent = 'Return requested';
  toast(`The label for ${button.dataset.return} is in your mail`);
}

const CLICKS = [
  ['[data-add]', addToCart],
  ['[data-remove]', removeLine],
  ['[data-favourite]', toggleFavourite],
  ['[data-return]', requestReturn],
];

document.addEventListener('click', (event) => {
  for (const [selector, run] of CLICKS) {
    const target = event.target.closest(selector);
    if (target !== null) run(target).catch((error) => toast(error.message));
  }
  const thumb = event.target.closest('.thumb');
  if (thumb !== null) document.querySelector('.gallery').dataset.view = thumb.dataset.view;
});

document.addEventListener('change', (event) => {
  event.target.closest('[data-submit-on-change]')?.requestSubmit();
});

document.addEventListener('submit', (event) => {
  const form = event.target.closest('[data-newsletter]');
  if (form === null) return;
  event.preventDefault();
  send('/api/subscribers', Object.fromEntries(new FormData(form))).then(() =>
    toast('Welcome aboard. Look into your mail.'),
  );
  form.reset();
});
