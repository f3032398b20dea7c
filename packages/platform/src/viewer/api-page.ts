import { callApi } from './call-api.ts';
import { element, fill } from './dom.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
  readonly description?: string;
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
}

interface Interface {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Renders `/openapi.json`. */
export async function showApi(main: HTMLElement): Promise<void> {
  document.title = 'API · chauffeur platform';
  const { paths } = (await callApi('GET', '/openapi.json')) as Interface;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  fill(
    main,
    element('h1', {}, 'API'),
    element(
      'p',
      { class: 'quiet' },
      'Send a key with every request, as Authorization: Bearer ck_…. Bodies are JSON. ',
      element('a', { href: '/openapi.json' }, 'openapi.json'),
      ' contains the same API in machine-readable form.',
    ),
    ...operations.map(shownOperation),
  );
}

function shownOperation({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: Operation;
}): HTMLElement {
  const { summary, parameters = [], requestBody, responses = {} } = operation;
  return element(
    'details',
    { class: 'operation' },
    element(
      'summary',
      {},
      element('span', { class: `method ${method.toLowerCase()}` }, method),
      element('code', {}, path),
      element('span', { class: 'quiet' }, summary ?? ''),
    ),
    parameters.length === 0
      ? undefined
      : fields(
          'Parameters',
          parameters.map(({ name, in: place, required = false, schema }) => [
            `${name}${required ? '' : '?'}`,
            `${place} · ${typeLabel(schema)}`,
          ]),
        ),
    bodyFields('Body', requestBody),
    ...Object.entries(responses).map(([status, content]) => bodyFields(`Response ${status}`, content)),
  );
}

function bodyFields(title: string, content: Content | undefined): HTMLElement | undefined {
  const schema = content?.content?.['application/json']?.schema;
  if (!schema) return undefined;
  return fields(title, rowsOf(schema, ''));
}

/** Returns one row per field. Fields of nested objects follow their parent. */
function rowsOf(schema: Schema, prefix: string): readonly (readonly [name: string, words: string])[] {
  const { properties = {}, required = [], items } = schema;
  if (items?.properties) return rowsOf(items, `${prefix}[]`);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${prefix === '' ? '' : '.'}${name}${required.includes(name) ? '' : '?'}`;
    return [[path, typeLabel(field)] as const, ...rowsOf(field, path.replace(/\?$/, ''))];
  });
}

function fields(title: string, rows: readonly (readonly [name: string, words: string])[]): HTMLElement {
  const cells = rows.map(([name, text]) =>
    element('tr', {}, element('th', { scope: 'row' }, element('code', {}, name)), element('td', {}, text)),
  );
  return element('table', { class: 'fields' }, element('caption', {}, title), element('tbody', {}, ...cells));
}

function typeLabel(schema: Schema | undefined): string {
  if (!schema) return 'anything';
  const {
    type,
    enum: values,
    const: only,
    anyOf,
    items,
    format,
    minimum,
    maximum,
    maxLength,
    default: fallback,
  } = schema;
  const parts = [
    only !== undefined
      ? JSON.stringify(only)
      : values
        ? values.map((value) => JSON.stringify(value)).join(' | ')
        : undefined,
    anyOf?.map(typeLabel).join(' | '),
    items ? `list of ${typeLabel(items)}` : values || only !== undefined ? undefined : [type].flat().join(' | '),
    format,
    minimum === undefined || minimum < -1e9 ? undefined : `from ${minimum}`,
    maximum === undefined || maximum > 1e15 ? undefined : `up to ${maximum}`,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    fallback === undefined ? undefined : `default ${JSON.stringify(fallback)}`,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(', ');
}
