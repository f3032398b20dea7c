import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isPlaceholder, type Names } from '../util/placeholders.ts';
import { quotedTexts } from '../util/quotes.ts';
import { fromVerb } from './clauses.ts';

/** The words and options that determine which files the driver may read and write. */
export interface FileGrants {
  /** The user's own words. */
  readonly instruction: string;
  /** A placeholder is always allowed, because the user chose its value. */
  readonly variables: Names;
  /** Allowed paths, even if the instruction does not contain them. */
  readonly files?: readonly string[] | undefined;
}

/**
 * Returns why a file must not be read or written, or `null` if the user has named it: with the option `files`, with a
 * variable, or with its whole path in the instruction. A clause such as "do not upload cv.pdf" does not name the file.
 * The path of a folder in the instruction must end in a separator.
 */
export function fileIssue(path: string, { instruction, variables, files = [] }: FileGrants): string | null {
  if (isPlaceholder(path, variables)) return null;
  if (files.some((allowed) => resolve(allowed) === resolve(path))) return null;
  const names = pathsIn(instruction).filter((named) => bare(named) === bare(path));
  if (names.length === 0) return `the instruction does not name the file ${JSON.stringify(path)}`;
  if (names.some(isFolderName) || !isFolder(path)) return null;
  return `${JSON.stringify(path)} is a folder. The instruction must name it as ${JSON.stringify(`${bare(path)}/`)}, or the option \`files\` must list it`;
}

const SEPARATOR = /[/\\]/;
const FOLDER_NAME = /[/\\]$/;
/** A file name with an extension, such as `cv.pdf`. Does not match `.`, `3.50` or `Ltd.`. */
const FILE_NAME = /^[^/\\]*[^./\\\s][^/\\]*\.(?=\p{L}*\d*\p{L})[\p{L}\p{N}]{1,10}$/u;
const DOT_FILE = /^\.[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;
const ADDRESS = /^[a-z][\w+.-]+:\/\/|^[^/\\\s]+@[^/\\\s]+$/i;
/** Punctuation that is not part of the path. */
const AFTER_PATH = /(?:['’]s)?[.,;:!?)\]}>…]*$/u;
const BEFORE_PATH = /^[([{<]+/u;
/** Words that make the next quotation a file name: "upload 'Makefile'". */
const FILE_WORDS =
  /\b(?:upload|attach|files?|documents?|images?|photos?|pictures?|avatar|cv|resume|scan|spreadsheet|folder|director(?:y|ies)|save(?: (?:it|this|that|them))? (?:as|to|in|into)|datei|fichier|archivo|file)\s*(?:(?:called|named)\s*)?$/i;

/** Verbs that only read. Their clauses name no file: "open the ticket about .env", "what is id_rsa.pub?" */
const LOOKS =
  /^(?:open|view|visit|show|find|search|look|list|count|compare|check|read|say|tell|report|describe|explain|summari[sz]e|wh(?:at|ich|o|ere|en|y)|how|is|are|was|were|does|do|did)\b/i;
/** Verbs that remove something. Their clauses name no file: "cancel the upload of cv.pdf". */
const TAKES_AWAY = /^(?:cancel|remove|delete|rename|discard|undo|ignore|skip)\b/i;
/** Phrases for what not to do: "do not upload cv.pdf", "any file except cv.pdf". "Do not forget to" does not match. */
const EXCLUDES =
  /\b(?:(?:do(?:es)? not|don['’]?t|must not|mustn['’]?t|never|not|avoid)\b(?! (?:only|forget|fail|hesitate))|(?:except|other than|instead of|rather than|apart from)\b)/i;
/** Verbs that let a reading clause name the file: "find cv.pdf and upload it". */
const HANDS_OVER = /\b(?:upload|attach|import|save|store|download)\b/i;
const CLAUSE_END = /[,;!?\n]|\.(?=\s)|\s(?:and|then|or)\s/i;

/** A path is a quotation or a single word. */
function pathsIn(instruction: string): string[] {
  const quotations = quotedTexts(instruction);
  const quoted = quotations
    .map(({ start, inner }) => ({ start, path: inner.trim() }))
    .filter(({ start, path }) => isPathLike(path) || FILE_WORDS.test(instruction.slice(0, start)));
  const beside = blanked(instruction, quotations);
  const named = [...quoted, ...wordsIn(beside).filter(({ path }) => isPathLike(path))];
  const isHandedOver = HANDS_OVER.test(beside);
  return named
    .filter(({ start }) => {
      const clause = beside.slice(0, start).split(CLAUSE_END).at(-1) ?? '';
      const verb = fromVerb(clause);
      return !TAKES_AWAY.test(verb) && !EXCLUDES.test(clause) && (isHandedOver || !LOOKS.test(verb));
    })
    .map(({ path }) => path);
}

/** Spaces keep the positions of all other words. */
function blanked(instruction: string, quotations: ReturnType<typeof quotedTexts>): string {
  return quotations.reduce(
    (text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    instruction,
  );
}

function wordsIn(text: string): { readonly start: number; readonly path: string }[] {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    start: index,
    path: word.replace(BEFORE_PATH, '').replace(AFTER_PATH, ''),
  }));
}

function isPathLike(text: string): boolean {
  if (text === '' || ADDRESS.test(text) || isOnlyDots(text)) return false;
  return SEPARATOR.test(text) || FILE_NAME.test(text) || DOT_FILE.test(text);
}

/** `.`, `..` and `./` end a sentence or mean the current folder. */
function isOnlyDots(text: string): boolean {
  return /^[./\\~]*$/.test(text);
}

/** Removes a leading `./` and a trailing separator. */
function bare(path: string): string {
  return path.replace(/^\.[/\\]/, '').replace(FOLDER_NAME, '');
}

function isFolderName(path: string): boolean {
  return FOLDER_NAME.test(path);
}

function isFolder(path: string): boolean {
  return statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true;
}
