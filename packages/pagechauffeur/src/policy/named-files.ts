import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isPlaceholder, type Names } from '../util/placeholders.ts';
import { quotedTexts } from '../util/quotes.ts';

/** What a user says of files. */
export interface FileGrants {
  /** The user's own words. */
  readonly instruction: string;
  /** A variable may hold a path. */
  readonly variables: Names;
  /** Paths that may be used though they do not stand in the instruction. */
  readonly files?: readonly string[] | undefined;
}

/**
 * Why a file may not be read or written for an instruction; null when the user named it. Named are: a path of the option
 * `files`, a variable, and a whole path in the user's own words, which has a separator or an extension or stands in quotation
 * marks right after a word such as "upload". A folder is named only by the option, or with a separator at its end.
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
/** What a word ends with that is not of the path in it. */
const AFTER_PATH = /(?:['’]s)?[.,;:!?)\]}>…]*$/u;
const BEFORE_PATH = /^[([{<]+/u;
/** "upload 'Makefile'": right after such words a quoted name is that of a file, whatever it looks like. */
const FILE_WORDS =
  /\b(?:upload|attach|files?|documents?|images?|photos?|pictures?|avatar|cv|resume|scan|spreadsheet|folder|director(?:y|ies)|save(?: (?:it|this|that|them))? (?:as|to|in|into)|datei|fichier|archivo|file)\s*(?:(?:called|named)\s*)?$/i;

/** Every path that stands in an instruction as a whole: quoted texts, and words beside them. */
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

/** `.`, `..` and `./` name no file of the user's words, but the end of a sentence or a place to begin at. */
function isOnlyDots(text: string): boolean {
  return /^[./\\~]*$/.test(text);
}

/** The same path without what only says that it begins here, and without the mark of a folder. */
function bare(path: string): string {
  return path.replace(/^\.[/\\]/, '').replace(FOLDER_NAME, '');
}

function isFolderName(path: string): boolean {
  return FOLDER_NAME.test(path);
}

/** Whether a folder stands there, at the end of all links. */
function isFolder(path: string): boolean {
  return statSync(resolve(path), { throwIfNoEntry: false })?.isDirectory() === true;
}
