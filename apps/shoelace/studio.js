const answer = document.querySelector('#answer');

document.addEventListener('click', (event) => {
  const target = event.target.closest('[data-say], [data-opens], [data-closes]');
  if (target === null) return;
  const { say, opens, closes } = target.dataset;
  if (opens !== undefined) document.getElementById(opens).show();
  if (closes !== undefined) document.getElementById(closes).hide();
  if (say !== undefined) answer.textContent = say;
});

document.querySelector('#booking')?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  const booking = { ...Object.fromEntries(form), tools: form.getAll('tools') };
  delete booking.password;
  await fetch('/api/bookings', { method: 'POST', body: JSON.stringify(booking) });
  answer.textContent = `Thank you, ${booking.name}. Your place is booked.`;
});
