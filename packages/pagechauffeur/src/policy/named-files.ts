import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isPlaceholder, type Names } from '../util/placeholders.ts';
import { quotedTexts } from '../util/quotes.ts';

/** Files that a user allows. */
export interface FileGrants {
  /** The user's own words. */
  readonly instruction: string;
  /** Variables; one may hold a path. */
  readonly variables: Names;
  /** Paths that are allowed although the instruction does not contain them. */
  readonly files?: readonly string[] | undefined;
}

/**
 * Returns the reason why a file may not be read or written, or `null` if the user named it. The user names a file with the option `files`,
 * with a variable, or with its whole path in the instruction. Such a path has a separator or an extension, or is quoted right after a word
 * such as "upload". A folder needs the option or a trailing separator.
 */
export function fileIssue(path: string, { instruction, variables, files = [] }: FileGrants): string | null {
  if (isPlaceholder(path, variables)) return null;
  if (files.some((allowed) => resolve(allowed) === resolve(path))) return null;
  const names = pathsIn(instruction).filter((named) => bare(named) === bare(path));
  if (names.length === 0) return `the file ${JSON.stringify(path)} does not stand in the instruction`;
  if (names.some(isFolderName) || !isFolder(path)) return null;
  return `${JSON.stringify(path)} is a folder; the instruction names one with ${JSON.stringify(`${bare(path)}/`)}, or the option \`files\` does`;
}

const SEPARATOR = /[/\\]/;
const FOLDER_NAME = /[/\\]$/;
/** A name with an extension, such as `cv.pdf` and `.env.local`; not `.`, `3.50` and `Ltd.` */
const FILE_NAME = /^[^/\\]*[^./\\\s][^/\\]*\.(?=\p{L}*\d*\p{L})[\p{L}\p{N}]{1,10}$/u;
const DOT_FILE = /^\.[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;
const ADDRESS = /^[a-z][\w+.-]+:\/\/|^[^/\\\s]+@[^/\\\s]+$/i;
/** Punctuation after a path that is not part of it. */
const AFTER_PATH = /(?:['’]s)?[.,;:!?)\]}>…]*$/u;
const BEFORE_PATH = /^[([{<]+/u;
/** Words that make any quotation after them a file name: "upload 'Makefile'". */
const FILE_WORDS =
  /\b(?:upload|attach|files?|documents?|images?|photos?|pictures?|avatar|cv|resume|scan|spreadsheet|folder|director(?:y|ies)|save(?: (?:it|this|that|them))? (?:as|to|in|into)|datei|fichier|archivo|file)\s*(?:(?:called|named)\s*)?$/i;

/** Every whole path in an instruction: quoted texts and single words. */
function pathsIn(instruction: string): string[] {
  const quotations = quotedTexts(instruction);
  const quoted = quotations
    .filter(({ start, inner }) => isPathLike(inner.trim()) || FILE_WORDS.test(instruction.slice(0, start)))
    .map(({ inner }) => inner.trim());
  return [...quoted, ...wordsBeside(instruction, quotations).filter(isPathLike)];
}

function wordsBeside(instruction: string, quotations: ReturnType<typeof quotedTexts>): string[] {
  let rest = '';
  let at = 0;
  for (const { start, end } of quotations) {
    rest += `${instruction.slice(at, start)} `;
    at = end;
  }
  return (rest + instruction.slice(at))
    .split(/\s+/)
    .map((word) => word.replace(BEFORE_PATH, '').replace(AFTER_PATH, ''))
    .filter((word) => word !== '');
}

function isPathLike(text: string): boolean {
  if (text === '' || ADDRESS.test(text) || isOnlyDots(text)) return false;
  return SEPARATOR.test(text) || FILE_NAME.test(text) || DOT_FILE.test(text);
}

/** `.`, `..` and `./` do not name a file. They end a sentence or mean the current folder. */
function isOnlyDots(text: string): boolean {
  return /^[./\\~]*$/.test(text);
}

/** The path without a leading `./` and a trailing separator. */
function bare(path: string): string {
  return path.replace(/^\.[/\\]/, '').replace(FOLDER_NAME, '');
}

function isFolderName(path: string): boolean {
  return FOLDER_NAME.test(path);
}

/** True if the path is a folder, after all links are resolved. */
function isFolder(path: string): boolean {
  return statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true;
}
