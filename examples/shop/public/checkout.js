import { send, toast } from './shop.js';

const form = document.querySelector('#checkout');
const problem = form.querySelector('.problem');
const thanks = document.querySelector('#thanks');

window.addEventListener('message', ({ data }) => {
  if (data?.card !== undefined) toast(`Card ending in ${data.card} confirmed`);
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const order = await send('/api/orders', Object.fromEntries(new FormData(form)));
    thanks.querySelector('[data-number]').textContent = order.number;
    thanks.querySelector('[data-total]').textContent = `€${(order.total / 100).toFixed(2)}`;
    problem.hidden = true;
    thanks.showModal();
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
});

thanks.querySelector('[data-close]').addEventListener('click', () => location.assign('/'));
