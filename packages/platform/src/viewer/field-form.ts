import type { ShownField, ViewRequest } from '../view/view-wire.ts';
import { button, element } from './dom.ts';

/** Creates a form with the same kind of control as in the page. */
export function fieldForm(field: ShownField, send: (request: ViewRequest) => void): HTMLElement {
  const control = controlOf(field);
  control.id = 'request-field';
  const cancel = (): void => send({ type: 'choose' });
  const form = element(
    'form',
    {},
    element('label', { for: 'request-field' }, field.label || 'Choose'),
    control,
    element('div', { class: 'answers' }, element('button', { class: 'primary' }, 'Choose'), button('Cancel', cancel)),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send({ type: 'choose', value: control.value });
  });
  form.addEventListener('keydown', ({ key }) => key === 'Escape' && cancel());
  return form;
}

function controlOf(field: ShownField): HTMLSelectElement | HTMLInputElement {
  if (field.kind !== 'select') {
    const { kind, value, min, max, step } = field;
    return element('input', {
      type: kind,
      value,
      min: min || undefined,
      max: max || undefined,
      step: step || undefined,
    });
  }
  const options = field.options.map(({ text, isDisabled }, index) =>
    element('option', { value: String(index), disabled: isDisabled, selected: String(index) === field.value }, text),
  );
  return element('select', {}, ...options);
}
