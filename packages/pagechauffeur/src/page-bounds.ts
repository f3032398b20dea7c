/**
 * Limits for data that comes from a page, in characters unless noted. A page can make all of this arbitrarily long, so
 * the driver truncates longer data. Data that the caller requests explicitly is not truncated: `page.content()`,
 * `locator.textContent()`, `page.evaluate()`, response bodies, screenshots.
 */
export const PAGE_BOUNDS = {
  /** URL: the length that Chromium displays (`url::kMaxURLDisplayChars`). Servers accept 8,000 to 16,000 characters. */
  url: 32_768,
  /** Page title. Chromium truncates titles to this length, too (`kMaxTitleChars`). */
  title: 4096,
  /** Name of a frame, tool or cookie. RFC 6265bis limits a cookie to 4096 bytes, including the value. */
  name: 4096,
  /** Name of a download: the limit of file systems (`NAME_MAX`). */
  fileName: 255,
  /**
   * Any other text in an event, for example a dialog message, a header or an error. Node's HTTP parser accepts 16 KB of
   * headers.
   */
  text: 65_536,
  /** All text of one event, for example the 1,000 arguments of a console message. */
  eventText: 4_000_000,
  /** Request body in events, as base64: 1 MiB. The body of a routed request is not truncated. */
  body: 1_398_104,
  /** Entries of a list or object in an event, such as `console.log` arguments, headers or declared tools. */
  entries: 1000,
  /**
   * Console messages whose objects are read at the same time. Further messages contain a description of each object.
   */
  consoleReads: 100,
  /**
   * Console messages that wait for objects of earlier ones, to keep their order. Beyond this limit, objects that are
   * still unread are emitted as descriptions.
   */
  waitingMessages: 1000,
  /** Nesting levels of lists and objects in events. */
  depth: 50,
  /** Finished requests that are kept, because raw headers may arrive later than the response. */
  endedRequests: 500,
  /** Pending requests. */
  requestsInFlight: 2000,
  /** URLs, headers and bodies of all pending requests together. */
  pendingRequestCharacters: 16_000_000,
  /** URLs, headers and bodies of all finished requests that are kept. */
  endedRequestCharacters: 2_000_000,
  /** URLs for which repeated requests are counted. */
  countedAddresses: 1000,

  /**
   * Accessible name, placeholder, description or option label in a snapshot. Screen readers and models need far less.
   */
  elementName: 2000,
  /** Value of a form field in a snapshot. */
  elementValue: 20_000,
  /** One run of plain text in a snapshot. */
  plainText: 1_000_000,
  /**
   * All text in a snapshot, divided among the frames. Models read less: 1,000,000 tokens are about 4,000,000
   * characters.
   */
  pageText: 5_000_000,
  /**
   * Attributes of all elements in one request for closed shadow roots, because the response repeats them. An element
   * that exceeds the limit alone is left out.
   */
  hostAttributes: 2_000_000,
  /** Page title and URL above a snapshot in a prompt. */
  heading: 300,
  /** Any other text that the injected script returns, for example from a live region. */
  answerText: 20_000,
} as const;
