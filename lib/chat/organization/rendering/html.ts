import { createRequire } from "node:module";
import { once } from "es-toolkit/function/once";
import type SanitizeHtml from "sanitize-html";
import { escapeHtml } from "@/lib/core/text.ts";

export function renderStartTag(tag: string, attributes: Readonly<Record<string, string | number>>): string {
  const rendered = Object.entries(attributes).map(([name, value]) =>
    ` ${name}="${escapeHtml(String(value))}"`
  );
  return `<${tag}${rendered.join("")}>`;
}

export function renderElement(
  tag: string,
  attributes: Readonly<Record<string, string | number>>,
  text: string,
): string {
  return `${renderStartTag(tag, attributes)}${escapeHtml(text)}</${tag}>`;
}

/** Elements without attributes that may be in a paragraph. */
const INLINE = "em|strong|del|code";
/** Tags, and text without angle brackets. Text has the three entities that sanitizing leaves as they are. */
const PARAGRAPHS = new RegExp(
  String.raw`^(?:<p>(?:[^<>&\0\r]|&(?:amp|lt|gt);|<br>|</?(?:${INLINE})>)*</p>(?:\n|$))+$`,
);
/** Length up to which the expression is tried, as it remembers each character. */
const MAX_LENGTH = 20_000;
const INLINE_TAG = new RegExp(`<(/?)(${INLINE})>`, "g");

/**
 * Returns whether HTML consists of paragraphs of text with nothing but line breaks and properly nested emphasis,
 * code and deletions without attributes. Sanitizing returns such HTML unchanged.
 */
export function isPlainMarkup(html: string): boolean {
  if (html.length > MAX_LENGTH || !PARAGRAPHS.test(html)) return false;
  return html.split("</p>").every(isNested);
}

function isNested(paragraph: string): boolean {
  const open: string[] = [];
  for (const [, slash, name = ""] of paragraph.matchAll(INLINE_TAG)) {
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}

/** Tags, attributes, classes and styles of rendered formulas, as KaTeX 0.16 writes them. */
const MATH_ALLOWED = {
  tags: [
    ..."math semantics annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded".split(" "),
    ..."mphantom menclose msub msup msubsup munder mover munderover mtable mtr mtd mlabeledtr".split(" "),
    ..."svg path line".split(" "),
  ],
  attributes: {
    math: ["xmlns", "display"],
    annotation: ["encoding"],
    mi: ["mathvariant"],
    mn: ["mathvariant"],
    mo: [
      ..."mathvariant stretchy fence separator lspace rspace minsize maxsize largeop accent linebreak".split(
        " ",
      ),
    ],
    mtext: ["mathvariant"],
    mspace: ["width", "height", "depth", "linebreak", "mathbackground"],
    mfrac: ["linethickness"],
    mstyle: ["scriptlevel", "displaystyle", "mathcolor", "mathsize", "mathvariant", "style"],
    mpadded: ["width", "height", "depth", "lspace", "voffset", "mathbackground"],
    menclose: ["notation", "mathbackground"],
    mover: ["accent"],
    munder: ["accentunder"],
    mtable: [
      ..."width rowspacing columnalign columnspacing columnlines rowlines displaystyle scriptlevel".split(
        " ",
      ),
    ],
    mtd: ["width"],
    svg: ["xmlns", "width", "height", "viewBox", "preserveAspectRatio", "style"],
    path: ["d"],
    line: ["x1", "y1", "x2", "y2", "stroke-width"],
  },
  classes: { mtd: ["mtr-glue", "mml-eqn-num"], mpadded: ["vcenter"] },
  spanClasses: [
    /^katex(?:-(?:display|mathml|html))?$/,
    "tex-error",
    ..."mord mop mbin mrel mopen mclose mpunct minner mspace mfrac mtight msupsub mtable mult".split(" "),
    ..."mover munder mathnormal mathbf mathit mathrm mathtt mathcal mathsf mathbb mathfrak mathscr".split(
      " ",
    ),
    ..."mathboldsf mathboldfrak mathitsf mathsfit boldsymbol boldsymbolit amsrm mainrm text".split(" "),
    /^text(?:bf|it|rm|sf|tt|frak|scr|bb|up|boldfrak|boldsf|itsf)$/,
    ..."base strut newline nulldelimiter sizing delimsizing delimsizinginner delimcenter op-symbol".split(
      " ",
    ),
    ..."small-op large-op op-limits inner fix rule smash llap rlap clap hbox vbox thinbox root sqrt".split(
      " ",
    ),
    ..."svg-align hide-tail stretchy overlay accent accent-body accent-full accentunder".split(" "),
    ..."frac-line overline overline-line underline underline-line hline hdashline vertical-separator".split(
      " ",
    ),
    ..."arraycolsep tag eqn-num mtr-glue mml-eqn-num leqno fleqn boxpad cancel-pad cancel-lap".split(" "),
    ..."sout angl anglpad fbox fcolorbox colorbox x-arrow x-arrow-pad pstrut fontsize-ensurer".split(" "),
    ..."cd-arrow-pad cd-label-left cd-label-right cd-vert-arrow brace-left brace-center brace-right".split(
      " ",
    ),
    ..."halfarrow-left halfarrow-right mainit phase nobreak allowbreak".split(" "),
    /^[a-z]{1,20}_fallback$/,
    /^(?:reset-)?size(?:[1-9]|1[01])$/,
    /^delim-size[14]$/,
    /^col-align-[lcr]$/,
    /^vlist(?:-(?:r|s|t2?))?$/,
  ],
};

const SIZE = "-?\\d{1,3}(?:\\.\\d{1,6})?em";
const LENGTHS = [
  "height|width|min-width|top|bottom|left|vertical-align|padding-left",
  "margin-(?:left|right|top)|border-width|border-(?:top|right|bottom)-width",
].join("|");
const COLOR = "(?:#[0-9a-f]{3,8}|[a-z]{1,30})";
const DECLARATIONS = [
  `(?:${LENGTHS}):(?:${SIZE}|0)`,
  `margin:0 ${SIZE}`,
  `(?:color|background-color|border-color):${COLOR}`,
  "border(?:-right)?-style:(?:solid|dashed)",
  "position:relative",
  "width:100%",
  "text-shadow: ?0\\.02em 0\\.01em 0\\.04px",
].join("|");
const STYLE = new RegExp(`^(?:(?:${DECLARATIONS})(?:;|$))+$`, "i");
const VALUE = /^[\w\s.,#%+-]{0,20000}$/;
const NAMESPACES: readonly string[] = ["http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"];
const SOURCE_TYPE = "application/x-tex";
const MATH_TAGS: ReadonlySet<string> = new Set(MATH_ALLOWED.tags);

/** Returns the attributes of a tag without styles and values that no formula has. */
function filterMathAttributes(
  tag: string,
  attributes: Readonly<Record<string, string>>,
): Record<string, string> {
  if (!MATH_TAGS.has(tag) && attributes["style"] === undefined) return attributes;
  return Object.fromEntries(
    Object.entries(attributes).filter(([name, value]) => {
      if (name === "style") return STYLE.test(value);
      if (!MATH_TAGS.has(tag)) return true;
      if (name === "xmlns") return NAMESPACES.includes(value);
      return name === "encoding" ? value === SOURCE_TYPE : VALUE.test(value);
    }),
  );
}

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
