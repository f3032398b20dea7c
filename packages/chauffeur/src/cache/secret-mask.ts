/** Masking single characters would make every text unreadable. */
const SHORTEST_MASKED = 3;

/** A text without the values that must not be written down, in the forms in which pages and addresses hold them. */
export function withoutSecrets(text: string, secrets: ReadonlySet<string>): string {
  const forms = [...secrets].filter((secret) => secret.length >= SHORTEST_MASKED).flatMap(formsOf);
  return forms.toSorted((a, b) => b.length - a.length).reduce((masked, form) => masked.replaceAll(form, '…'), text);
}

function formsOf(secret: string): string[] {
  const asParameter = new URLSearchParams([['', secret]]).toString().slice(1);
  const base64 = Buffer.from(secret).toString('base64');
  const forms = [secret, asParameter, encodeURIComponent(secret), encodeURI(secret), base64];
  return [...new Set(forms)];
}
