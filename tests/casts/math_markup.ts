const TAGS: ReadonlySet<string> = new Set(
  [
    "math semantics annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom",
    "menclose msub msup msubsup munder mover munderover mtable mtr mtd mlabeledtr svg path line",
  ].join(" ").split(" "),
);
const ATTRIBUTES =
  /^(?:math|column|row|script|display|line|stroke-|min|max|acc|preserve|view|[lrv](?:space|offset))/;
const SHORT_ATTRIBUTES: readonly string[] =
  "encoding stretchy fence separator largeop width height depth notation d x1 x2 y1 y2".split(" ");
const NAMESPACE = /^http:\/\/www\.w3\.org\/(?:1998\/Math\/MathML|2000\/svg)$/;
/** Nothing that loads, covers the page or leaves the line of the formula. */
const STYLE =
  /^(?:(?!position:(?!relative;))[a-z-]{3,20}: ?(?:[-#.a-z0-9]{1,30}|0 -?[.0-9]+em|[. 0-9empx]+)(?:;|$))+$/;
const CLASS =
  /^(?:katex(?:-[a-z]+)?|tex-error|[a-z][a-z0-9_-]{1,24})( (?!emoji|user-|stream)[a-z][a-z0-9_-]{1,24})*$/;

/** Returns whether a tag occurs only in formulas. */
export function isMathTag(tag: string): boolean {
  return TAGS.has(tag);
}

/** Returns whether an attribute and its value are harmless in a formula. */
export function isMathAttribute(tag: string, attribute: string, value: string): boolean {
  if (attribute === "style") return (tag === "span" || TAGS.has(tag)) && STYLE.test(value);
  if (tag === "span" && attribute === "aria-hidden") return value === "true";
  if (attribute === "class") return (tag === "span" || TAGS.has(tag)) && CLASS.test(value);
  if (!TAGS.has(tag)) return false;
  if (attribute === "xmlns") return NAMESPACE.test(value);
  if (!ATTRIBUTES.test(attribute) && !SHORT_ATTRIBUTES.includes(attribute)) return false;
  return /^[\w\s.,#%+/-]*$/.test(value);
}
