import { styleOf } from '../styles/computed-style.ts';

/** True if `-webkit-text-security` shows dots in place of the text, as in a password field. */
export function isMaskedStyle(style: CSSStyleDeclaration): boolean {
  const security = style.getPropertyValue('-webkit-text-security');
  // An element that is not rendered has no style.
  return security !== 'none' && security !== '';
}

/** True if people see only dots for the value. */
export function isMaskedField(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  return field.type === 'password' || isMaskedStyle(styleOf(field));
}
