/**
 * All options that calls accept in their last argument. Used to detect misspellings. Names that resemble none of them
 * are
 * ignored, because they may belong to other libraries.
 */
export const OPTION_NAMES: ReadonlySet<string> = new Set(
  `
  animations borderColor bubbles button cancelable caret checked clickCount clip composed contentColor delay
  deviceScaleFactor disabled displayHeaderFooter durationMs exact expand expanded footerTemplate for force format
  fullPage has hasNot hasNotText hasText headerTemplate height ignoreSelectors includeHidden includeIframes instruction
  landscape level margin mask maskColor model modifiers name omitBackground origin origins outline page pageRanges path
  pierceShadow plan polling position predicate preferCSSPageSize pressed printBackground quality referer returnXpath
  runBeforeUnload scale schema screenshot selected selector serverCache signal state steps strict style tagged timeout
  times tokenBudget trial type variables visible waitUntil width withEvidence
  `
    .trim()
    .split(/\s+/),
);
