/** Tags, attributes, classes and styles of rendered formulas, as KaTeX 0.16 writes them. */
export const MATH_ALLOWED = {
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
export function filterMathAttributes(
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
