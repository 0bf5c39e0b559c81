import assert from "node:assert/strict";
import { renderMath } from "@/lib/chat/organization/rendering/render_math.ts";
import { renderMessage } from "@/lib/chat/organization/rendering/render_message.ts";
import { sanitize } from "@/lib/chat/organization/rendering/html.ts";
import { assertHarmless, CONTEXT, renderHtml, scanHtml } from "@/tests/casts/rendering_cast.ts";

const FORMULAS: readonly string[] = [
  String.raw`\sum_{i=1}^{n} i = \frac{n(n+1)}{2} \int_0^\infty e^{-x^2}\,dx \sqrt[3]{x+\frac12}`,
  String.raw`\begin{pmatrix}a&b\\c&d\end{pmatrix} \begin{cases}a&b\\c&d\end{cases}`,
  String.raw`\begin{aligned}a&=b\\&=c\end{aligned}`,
  String.raw`\begin{array}{|c:c|}\hline a&b\\ \hdashline c&d\end{array}`,
  String.raw`\textcolor{#ff0000}{y} \colorbox{yellow}{z} \color{red} x`,
  String.raw`\overbrace{abc}^{n} \underbrace{abc}_{n} \xrightarrow[a]{abc} \widehat{AB} \widetilde{AB}`,
  String.raw`\cancel{x}\bcancel{x}\boxed{y}\phantom{z}\sout{abc} \vec{v}\hat{x}\overline{AB}\mathring{x}`,
  String.raw`\text{hi <b> "q" 'r'} \textbf{b}\texttt{t} \verb|x| \text{日本} é`,
  String.raw`\left\{\begin{array}{l}a\\b\\c\\d\\e\end{array}\right. \Big(\Bigg[\bigl|`,
  String.raw`\rule{1em}{2em} a\kern1em b\raisebox{-1em}{c}\smash{b}\llap{x}\mathclap{z}`,
  String.raw`\mathbb{R}\mathcal{C}\mathfrak{g}\mathscr{L}\mathsf{s}\boldsymbol{\alpha}\pmb{x}\emph{x}`,
  String.raw`\lim_{x\to 0}\operatorname*{arg\,max}_x \binom{n}{k} \dbinom{n}{k} \bigcup`,
  String.raw`a \neq b \implies c \iff \ldots \vdots \tiny a \Huge b \scriptstyle e`,
  String.raw`\angl{n} \phase{-78^\circ} \stackrel{a}{b} \substack{a\\b} f'(x) \vcenter{x} \pmod{n}`,
  String.raw`\overleftrightarrow{AB}\overgroup{AB}\xmapsto{a}\utilde{AB} \LaTeX \KaTeX`,
];
const DISPLAYED = [
  String.raw`x\tag{1}`,
  String.raw`\begin{align}a&=b\\&=c\end{align}`,
  String.raw`\begin{CD}A @>a>> B\\ @VVbV @AAcA\\ C @= D\end{CD}`,
];

/** Writes HTML as the sanitizer does: elements with end tags, and character references only where needed. */
function normalize(html: string): string {
  return html.replaceAll(" class =", " class=").replaceAll("&#x27;", "'")
    .replace(/<(path|line|mspace)((?: [\w-]+="[^"]*")*)\/>/g, "<$1$2></$1>")
    .replace(/>[^<]*/g, (text) => text.replaceAll("&quot;", '"'));
}

Deno.test("sanitize() keeps all that KaTeX renders, and it is harmless", () => {
  const shown = FORMULAS.map((source) => renderMath(source, { isBlock: false }));
  const displayed = [...FORMULAS, ...DISPLAYED].map((source) => renderMath(source, { isBlock: true }));
  for (const html of [...shown, ...displayed]) {
    assert.ok(html);
    assert.equal(sanitize(html), normalize(html));
    assertHarmless(sanitize(html));
  }
});

Deno.test("sanitize() removes from formulas what KaTeX does not write", () => {
  const harm =
    '<math onclick="x"><annotation encoding="text/html">a</annotation><mi style="top:1em" href="x">' +
    '</mi></math><span class="base modal" style="position:fixed;top:0"></span><span style="top:1000em;">' +
    '</span><span style="background:url(//x)"></span><svg onload="x" VIEWBOX="0"><path d="url(x)"></path></svg>';
  assert.equal(
    sanitize(harm),
    '<math><annotation>a</annotation><mi></mi></math><span class="base"></span><span></span><span></span>' +
      "<svg><path></path></svg>",
  );
});

Deno.test("renderMessage() renders math as MathML with its source, and as HTML", () => {
  const inline = renderHtml("a $$x<y$$ b");
  assert.match(
    inline,
    /^<p>a <span class="katex"><span class="katex-mathml"><math xmlns="[^"]+"><semantics>/,
  );
  assert.match(inline, /<annotation encoding="application\/x-tex">x&lt;y<\/annotation>/);
  assert.match(
    inline,
    /<span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style=/,
  );
  assert.match(inline, /<\/span><\/span><\/span> b<\/p>$/);
  const block = renderHtml("```math\nx^2\n\n \ny\n```");
  assert.deepEqual(block.match(/<p><span class="katex-display"><span class="katex">/g)?.length, 2);
});

Deno.test("renderMessage() shows invalid math and definitions as errors", () => {
  const error = (source: string) => `<span class="tex-error">${source}</span>`;
  assert.equal(renderHtml("$$\\frac{$$"), `<p>${error("$$\\frac{$$")}</p>`);
  assert.equal(renderHtml("```math\n\\nope <b>\n```"), `<p>${error("\\nope &lt;b&gt;")}</p>`);
  for (const source of ["\\def\\a{b}\\a", "\\newcommand{\\a}{b}", "\\let\\a=b", "\\global\\def\\a{b}"]) {
    assert.equal(renderMath(source, { isBlock: false }), null, source);
  }
  assert.ok(renderMath("a\\\\def", { isBlock: true }));
});

Deno.test("renderMath() refuses formulas that are nested too deeply", () => {
  const nest = (depth: number) => `${"\\sqrt{".repeat(depth)}x${"}".repeat(depth)}`;
  assert.ok(renderMath(nest(10), { isBlock: false }));
  assert.equal(renderMath(nest(40), { isBlock: false }), null);
  assert.equal(renderMath("{".repeat(20_000), { isBlock: false }), null);
});

Deno.test("renderMessage() shows math beyond its limits as code, and mentions after it still work", () => {
  const long = `$$${"x^2 ".repeat(400)}$$`;
  const { html, mentioned_user_ids } = renderMessage(`${long} @**Ann Lee|7**`, CONTEXT);
  assert.match(html, /^<p><code class="math">x\^2/);
  assert.deepEqual(mentioned_user_ids, [7]);
  const many = renderHtml("$$\\frac{a}{b}$$ ".repeat(200));
  const shown = scanHtml(many).tags.filter(({ attributes }) => attributes.get("class") === "katex").length;
  assert.ok(shown > 30 && shown < 100, `${shown} formulas`);
  assert.equal(many.match(/<code class="math">/g)?.length, 200 - shown);
});

Deno.test("renderMessage() shows math as code where it is not loaded", () => {
  const { renderMath: _, ...context } = CONTEXT;
  assert.equal(renderMessage("$$x * y$$", context).html, '<p><code class="math">x * y</code></p>');
  assert.equal(
    renderMessage("```math\nx^2\n```", context).html,
    '<pre><code class="math">x^2\n</code></pre>',
  );
});
