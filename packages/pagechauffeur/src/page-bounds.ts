/**
 * How much of a page the driver takes in, in characters unless it says otherwise. A page writes all of this itself, and as
 * long as it likes. What is longer is cut off where it comes in, and a note says how much is missing. What a caller asks for
 * by name (`page.content()`, `locator.textContent()`, `page.evaluate()`, a response's body, a picture) is not cut.
 */
export const PAGE_BOUNDS = {
  /** An address. Chromium shows no more of one (`url::kMaxURLDisplayChars`), and servers take 8 to 16 thousand. */
  url: 32_768,
  /** The title of a page. Chromium keeps no more of one (`kMaxTitleChars`). */
  title: 4096,
  /** The name of a frame, a tool or a cookie. Cookies have no more (RFC 6265bis: 4096 bytes with their value). */
  name: 4096,
  /** The name of a download: file systems take no more (`NAME_MAX`). */
  fileName: 255,
  /** Any other text in an event: of a dialog, a console message, a header, an error. Node's HTTP parser takes no longer headers by far (16 KB). */
  text: 65_536,
  /** All texts of an event together: of the 1,000 arguments of a console message, for example. */
  eventText: 4_000_000,
  /** The body of a request, in base64, as events tell it: 1 MB. The body of a route's request is not cut. */
  body: 1_398_104,
  /** Entries of a list or an object in an event, such as arguments of `console.log`, headers or declared tools. */
  entries: 1000,
  /** Console messages whose objects are read at the same time. Objects of further messages are replaced by their description. */
  consoleReads: 100,
  /** Console messages that wait for an earlier one. Beyond that, all are emitted without the objects that are still being read. */
  waitingMessages: 1000,
  /** Levels of such lists and objects. */
  depth: 50,
  /** Requests that are remembered after their end: heads on the wire may be told later than the response. */
  keptRequests: 500,
  /** Requests under way. Chromium itself holds a process to about 1350 (`kMaxOutstandingRequestsCostPerProcess`), `data:` and `blob:` not counted. */
  requestsInFlight: 2000,
  /** Characters of all requests that are kept, in flight or not, addresses, headers and bodies included. */
  keptRequestCharacters: 16_000_000,
  /** Addresses of which it is counted how often they are asked for again. */
  countedAddresses: 1000,

  /** Accessible name, placeholder, description or label of an option in a snapshot. Screen readers and models are served by far less. */
  elementName: 2000,
  /** The value of a field in a snapshot. */
  elementValue: 20_000,
  /** A run of plain text in a snapshot. */
  plainText: 1_000_000,
  /** All texts of a page in a snapshot, of which each frame has its share: more than a model reads at once (1,000,000 tokens are about 4,000,000 characters). */
  pageText: 5_000_000,
  /** Attributes of elements that are asked about at once for closed shadow roots: the browser tells them all. An element with more is not asked about. */
  hostAttributes: 2_000_000,
  /** Characters of the page's title and its address above a snapshot in a prompt. */
  heading: 300,
  /** Any other text that the program inside the page answers with, such as what a live region announced. */
  answerText: 20_000,
} as const;
