import { createRequire } from "node:module";
import { once } from "es-toolkit/function/once";
import type SanitizeHtml from "sanitize-html";
import { isPlainMarkup } from "./is_plain_markup.ts";
import { filterMathAttributes, MATH_ALLOWED } from "./math_allow_list.ts";

/** Allow-list of tags, attributes, classes and URL schemes in rendered messages. */
const ALLOWED = {
  tags: [
    ..."p br hr a em strong del code pre span div blockquote ul ol li img time".split(" "),
    ..."h1 h2 h3 h4 h5 h6 table thead tbody tr th td".split(" "),
    ...MATH_ALLOWED.tags,
  ],
  attributes: {
    ...MATH_ALLOWED.attributes,
    a: ["href", "title", "data-stream-id"],
    span: ["data-user-id", "data-user-group-id", "aria-label", "aria-hidden", "role", "title", "style"],
    img: ["alt", "src", "title"],
    div: ["aria-hidden", "data-code-language"],
    time: ["datetime"],
    ol: ["start"],
    th: ["align"],
    td: ["align"],
  },
  classes: {
    a: ["stream", "stream-topic", "message-link"],
    span: [
      "user-mention",
      "user-group-mention",
      "topic-mention",
      "channel-wildcard-mention",
      "silent",
      "timestamp-error",
      "emoji",
      /^emoji-[0-9a-f-]{2,80}$/,
      ...MATH_ALLOWED.spanClasses,
    ],
    ...MATH_ALLOWED.classes,
    img: ["emoji"],
    div: ["codehilite", "spoiler-block", "spoiler-header", "spoiler-content", "message_inline_image"],
    code: ["math"],
  },
  schemes: ["http", "https", "mailto"],
};

// With a parser of styles that is not used here, the library is the largest part of what a start would load. Plain texts do
// without it, and descriptions are rendered where nothing can be awaited.
const loadSanitizer = once((): typeof SanitizeHtml => createRequire(import.meta.url)("sanitize-html"));

const OPTIONS: SanitizeHtml.IOptions = {
  allowedTags: ALLOWED.tags,
  allowedAttributes: ALLOWED.attributes,
  allowedClasses: ALLOWED.classes,
  allowedSchemes: ALLOWED.schemes,
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
  // `filterMathAttributes` checks styles: parsing them would take most of the time of a message with formulas.
  parseStyleAttributes: false,
  transformTags: {
    "*": (tagName, attributes) => ({ tagName, attribs: filterMathAttributes(tagName, attributes) }),
  },
  // Attributes of SVG have capital letters; every name that is not on the list is removed.
  parser: { lowerCaseAttributeNames: false },
};

/** Removes everything that is not on the allow-list; void elements are written `<br>`. */
export function sanitize(html: string): string {
  // Parsing its HTML again would take about a tenth of the time of an ordinary message.
  const spelled = html.replaceAll("&quot;", '"');
  return isPlainMarkup(spelled) ? spelled : sanitizeParsed(html);
}

/** Sanitizes HTML by parsing it, also where `sanitize` need not. */
export function sanitizeParsed(html: string): string {
  // In sanitized output an angle bracket always ends a tag.
  return loadSanitizer()(html, OPTIONS).replaceAll(" />", ">");
}
