const form = document.querySelector('#card');
const outcome = document.querySelector('#outcome');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { number } = Object.fromEntries(new FormData(form));
  const response = await fetch('/api/card', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ number }),
  });
  const answer = await response.json();
  outcome.textContent = response.ok ? `Card ending in ${answer.card} confirmed` : answer.error;
  if (response.ok) window.parent.postMessage({ card: answer.card }, '*');
});
