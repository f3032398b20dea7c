/**
 * Limits for data from a page, in characters unless a comment says otherwise. A page can make all of this arbitrarily long. The
 * driver cuts longer data where it enters, and a note contains the number of missing characters. Data that a caller requests
 * explicitly (`page.content()`, `locator.textContent()`, `page.evaluate()`, a response's body, a picture) is not cut.
 */
export const PAGE_BOUNDS = {
  /** A URL. Chromium shows no longer ones (`url::kMaxURLDisplayChars`), and servers accept 8 to 16 thousand characters. */
  url: 32_768,
  /** The title of a page. Chromium keeps no longer ones (`kMaxTitleChars`). */
  title: 4096,
  /** The name of a frame, a tool or a cookie. Cookies have a lower limit (RFC 6265bis: 4096 bytes with their value). */
  name: 4096,
  /** The name of a download. File systems accept no longer ones (`NAME_MAX`). */
  fileName: 255,
  /** Any other text in an event: of a dialog, a console message, a header, an error. Node's HTTP parser accepts headers of only 16 KB. */
  text: 65_536,
  /** All texts of an event together, for example of the 1,000 arguments of a console message. */
  eventText: 4_000_000,
  /** The body of a request in events, in base64: 1 MB. The body of a route's request is not cut. */
  body: 1_398_104,
  /** Entries of a list or an object in an event, such as arguments of `console.log`, headers or declared tools. */
  entries: 1000,
  /** Console messages whose objects the driver reads at the same time. For further messages, a description replaces the objects. */
  consoleReads: 100,
  /** Console messages that wait for an earlier one. Beyond that, the driver emits all of them without the objects that it still reads. */
  waitingMessages: 1000,
  /** Nesting levels of such lists and objects. */
  depth: 50,
  /** Requests that the driver keeps after their end, because their raw headers may arrive later than the response. */
  endedRequests: 500,
  /** Pending requests. Chromium itself limits a process to about 1350 (`kMaxOutstandingRequestsCostPerProcess`), without `data:` and `blob:`. */
  requestsInFlight: 2000,
  /** Characters of all pending requests: URLs, headers and bodies. */
  pendingRequestCharacters: 16_000_000,
  /** Characters of all requests that the driver keeps after their end. */
  endedRequestCharacters: 2_000_000,
  /** URLs whose repeated requests are counted. */
  countedAddresses: 1000,

  /** Accessible name, placeholder, description or option label in a snapshot. Screen readers and models need much less. */
  elementName: 2000,
  /** The value of a field in a snapshot. */
  elementValue: 20_000,
  /** A run of plain text in a snapshot. */
  plainText: 1_000_000,
  /** All texts of a page in a snapshot. Each frame gets a share. This is more than a model reads at once: 1,000,000 tokens are about 4,000,000 characters. */
  pageText: 5_000_000,
  /** Attributes of all elements in one request for closed shadow roots, because the browser returns them all. Elements with more attributes are left out. */
  hostAttributes: 2_000_000,
  /** Characters of the page's title and URL above a snapshot in a prompt. */
  heading: 300,
  /** Any other text that the injected script returns, such as the text of a live region. */
  answerText: 20_000,
} as const;
