import type { SchemaIssue } from '../errors.ts';
import type { Checked } from '../model/generate-checked.ts';
import { branchesOf, isRecord, mapSchemas, resolveSchema } from '../model/json-schema.ts';
import type { JsonSchema } from '../model/model-client.ts';

/** URLs that an answer may contain, by link number or written out. */
export interface PageLinks {
  /** By link number: `#12` in a line means `urls[12]`. */
  readonly urls: readonly string[];
  readonly pageUrl: string;
  /** Text of the snapshot, which can also contain URLs. */
  readonly text: string;
}

/** A schema in which link numbers replace URLs. */
export interface LinkedSchema {
  readonly jsonSchema: JsonSchema;
  readonly hasLinks: boolean;
  /** Replaces link numbers in an answer with URLs. Returns issues for links that are not on the page. */
  restore(value: unknown, links: PageLinks): Checked<unknown>;
}

/**
 * Makes URL fields accept link numbers instead, because models often copy long URLs wrongly and output tokens are
 * expensive.
 */
export function withLinkNumbers(schema: JsonSchema): LinkedSchema {
  let hasLinks = false;
  const jsonSchema = mapSchemas(schema, (inner) => {
    if (!isUrl(inner)) return inner;
    hasLinks = true;
    return linkNumber(inner);
  });
  return { jsonSchema, hasLinks, restore: (value, links) => restore(value, schema, links) };
}

const URL_FORMATS: ReadonlySet<unknown> = new Set(['uri', 'url', 'iri', 'uri-reference', 'iri-reference']);

function isUrl({ format }: JsonSchema): boolean {
  return URL_FORMATS.has(format);
}

/** Drops constraints that do not apply to link numbers, such as a pattern. They are checked for the URL later. */
function linkNumber({ description, title }: JsonSchema): JsonSchema {
  const what = typeof description === 'string' ? `${description} ` : '';
  return {
    type: 'string',
    ...(title === undefined ? {} : { title }),
    description: `${what}(the number of a link or image as the page shows it, such as #12)`,
  };
}

interface Restoring {
  readonly root: JsonSchema;
  readonly links: PageLinks;
  readonly issues: SchemaIssue[];
}

type Path = readonly (string | number)[];

function restore(value: unknown, root: JsonSchema, links: PageLinks): Checked<unknown> {
  const restoring: Restoring = { root, links, issues: [] };
  const restored = restoreAt(value, { schema: root, path: [] }, restoring);
  return restoring.issues.length > 0 ? { issues: restoring.issues } : { value: restored };
}

interface Place {
  readonly schema: unknown;
  readonly path: Path;
}

function restoreAt(value: unknown, { schema, path }: Place, restoring: Restoring): unknown {
  const branches = branchesOf(resolveSchema(schema, restoring.root)).map((branch) =>
    resolveSchema(branch, restoring.root),
  );
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      restoreAt(item, { schema: itemSchema(branches, index), path: [...path, index] }, restoring),
    );
  }
  if (isRecord(value)) {
    const fields = Object.entries(value).map(([name, field]) => {
      const place = { schema: fieldSchema(branches, name), path: [...path, name] };
      return [name, restoreAt(field, place, restoring)] as const;
    });
    return Object.fromEntries(fields);
  }
  const isLink = branches.some(isUrl) && (typeof value === 'string' || typeof value === 'number');
  return isLink ? restoreLink(String(value), { path, isOnlyLink: branches.every(isUrlOrNull) }, restoring) : value;
}

function itemSchema(branches: readonly JsonSchema[], index: number): unknown {
  for (const { prefixItems, items } of branches) {
    if (Array.isArray(prefixItems) && index in prefixItems) return prefixItems[index];
    if (items !== undefined) return items;
  }
  return undefined;
}

/** If several alternatives have the field, combines their schemas with `anyOf`. */
function fieldSchema(branches: readonly JsonSchema[], name: string): unknown {
  const schemas = branches.flatMap(({ properties, additionalProperties, allOf }) => {
    const parts = Array.isArray(allOf) ? [fieldSchema(allOf.filter(isRecord), name)] : [];
    return [isRecord(properties) ? properties[name] : undefined, additionalProperties, ...parts].filter(isRecord);
  });
  return schemas.length > 1 ? { anyOf: schemas } : schemas[0];
}

function isUrlOrNull(schema: JsonSchema): boolean {
  return isUrl(schema) || schema['type'] === 'null';
}

function restoreLink(
  answer: string,
  { path, isOnlyLink }: { path: Path; isOnlyLink: boolean },
  { links, issues }: Restoring,
): string {
  const number = /^\s*#?(\d+)\s*$/.exec(answer)?.[1];
  const address = number === undefined ? literalAddress(answer, links) : links.urls[Number(number)];
  if (address !== undefined) return address;
  if (isOnlyLink || number !== undefined) {
    issues.push({ path, message: `"${answer}" is not the number of a link or image on the page` });
  }
  return answer;
}

/** Accepts a URL that the model wrote out if the page contains it as a link, as its own URL or in its text. */
function literalAddress(answer: string, { urls, pageUrl, text }: PageLinks): string | undefined {
  if (!URL.canParse(answer, pageUrl)) return undefined;
  const { href } = new URL(answer, pageUrl);
  if (urls.includes(href) || href === pageUrl) return href;
  return text.includes(answer) && URL.canParse(answer) ? answer : undefined;
}
