import type { PageTarget } from '../cdp/page-target.ts';
import type { Params } from '../cdp/protocol.ts';
import { DriverInvalidArgumentError } from '../errors.ts';
import {
  checkFlag,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkString,
  describeValue,
} from '../util/check-argument.ts';
import type { CallOptions, Progress } from '../util/progress.ts';
import { saveFile } from './save-file.ts';

/** Width and height in inches, as in Playwright. */
const FORMATS = {
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
  ledger: [17, 11],
  a0: [33.1102, 46.811],
  a1: [23.3858, 33.1102],
  a2: [16.5354, 23.3858],
  a3: [11.6929, 16.5354],
  a4: [8.2677, 11.6929],
  a5: [5.8268, 8.2677],
  a6: [4.1339, 5.8268],
} as const;

/** Name of a paper size, such as `a4` or `A4`. */
export type PaperFormat = keyof typeof FORMATS | Capitalize<keyof typeof FORMATS>;
/** A length: a number of CSS pixels, or a string with a unit such as `2cm`, `20mm`, `1in` or `96px`. */
export type Length = number | string;

/** Options of `page.pdf()`. */
export interface PdfOptions extends CallOptions {
  /** Also writes the PDF to this file. Missing folders are created. */
  path?: string;
  /** Paper size; default `letter`. `width` and `height` take precedence. */
  format?: PaperFormat;
  width?: Length;
  height?: Length;
  /** Prints in landscape orientation; default false. */
  landscape?: boolean;
  /** Default: no margins. */
  margin?: { top?: Length; right?: Length; bottom?: Length; left?: Length };
  /** Scale of the content, from 0.1 to 2; default 1. */
  scale?: number;
  /** Prints backgrounds; default false. */
  printBackground?: boolean;
  /** Uses the page size from CSS `@page` if the page sets one; default false. */
  preferCSSPageSize?: boolean;
  /** Page ranges such as `1-3, 5`; default all. */
  pageRanges?: string;
  displayHeaderFooter?: boolean;
  headerTemplate?: string;
  footerTemplate?: string;
  /** Adds tags for assistive technology; default false. */
  tagged?: boolean;
  /** Adds the headings as an outline; default false. */
  outline?: boolean;
}

export async function printPdf(progress: Progress, page: PageTarget, options: PdfOptions): Promise<Buffer> {
  const settings = printSettings(options);
  const { data } = await progress.race(page.session.send('Page.printToPDF', settings));
  const file = Buffer.from(data, 'base64');
  if (options.path !== undefined) await saveFile(options.path, file);
  return file;
}

function printSettings(options: PdfOptions): Params<'Page.printToPDF'> {
  checkPdfOptions(options);
  const { format = 'letter', scale = 1, margin = {}, outline } = options;
  const [width, height] = FORMATS[format.toLowerCase() as keyof typeof FORMATS];
  const { landscape, printBackground, preferCSSPageSize, displayHeaderFooter, pageRanges, tagged } = options;
  return {
    landscape: landscape ?? false,
    printBackground: printBackground ?? false,
    preferCSSPageSize: preferCSSPageSize ?? false,
    displayHeaderFooter: displayHeaderFooter ?? false,
    headerTemplate: options.headerTemplate ?? '',
    footerTemplate: options.footerTemplate ?? '',
    pageRanges: pageRanges ?? '',
    generateTaggedPDF: tagged ?? false,
    generateDocumentOutline: outline ?? false,
    scale,
    paperWidth: inches('width', options.width) ?? width,
    paperHeight: inches('height', options.height) ?? height,
    marginTop: inches('margin.top', margin.top) ?? 0,
    marginRight: inches('margin.right', margin.right) ?? 0,
    marginBottom: inches('margin.bottom', margin.bottom) ?? 0,
    marginLeft: inches('margin.left', margin.left) ?? 0,
  };
}

const FLAGS = [
  'landscape',
  'printBackground',
  'preferCSSPageSize',
  'displayHeaderFooter',
  'tagged',
  'outline',
] as const satisfies (keyof PdfOptions)[];
const TEXTS = ['headerTemplate', 'footerTemplate', 'pageRanges'] as const satisfies (keyof PdfOptions)[];

function checkPdfOptions(options: PdfOptions): void {
  const { format = 'letter', scale = 1, path, margin } = options;
  for (const flag of FLAGS) checkFlag(flag, options[flag]);
  for (const text of TEXTS) if (options[text] !== undefined) checkString(text, options[text], { mayBeEmpty: true });
  if (path !== undefined) checkString('path', path);
  checkString('format', format);
  checkOneOf('format', format.toLowerCase(), Object.keys(FORMATS));
  checkNumber('scale', scale);
  if (scale < 0.1 || scale > 2)
    throw new DriverInvalidArgumentError(`scale must be from 0.1 to 2. Received ${describeValue(scale)}.`, {
      argument: 'scale',
    });
  checkOptions(margin, 'margin');
}

const INCHES_PER_UNIT: Readonly<Record<string, number>> = { px: 1 / 96, in: 1, cm: 1 / 2.54, mm: 1 / 25.4 };

function inches(argument: string, length: Length | undefined): number | undefined {
  if (length === undefined) return undefined;
  const [, amount, unit = 'px'] = /^(\d+(?:\.\d+)?)\s*(px|in|cm|mm)?$/.exec(String(length).trim()) ?? [];
  if (amount !== undefined) return Number(amount) * (INCHES_PER_UNIT[unit] ?? 1);
  throw new DriverInvalidArgumentError(
    `${argument} must be a number of CSS pixels or a string such as "2cm", "20mm", "1in" or "96px". Received ${describeValue(length)}.`,
    { argument },
  );
}
