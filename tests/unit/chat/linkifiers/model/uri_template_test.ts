import assert from "node:assert/strict";
import { expandUriTemplate, parseUriTemplate } from "@/lib/chat/messages/linkifiers/model/uri_template.ts";

/** String variables of the RFC's examples. */
const VALUES = new Map(Object.entries({
  var: "value",
  hello: "Hello World!",
  half: "50%",
  base: "http://example.com/home/",
  path: "/foo/bar",
  dub: "me/too",
  empty: "",
  who: "fred",
  v: "6",
  x: "1024",
  y: "768",
}));

/** Examples of RFC 6570, sections 1.2 and 3.2, with these variables. */
const EXAMPLES = `
{var} → value
{hello} → Hello%20World%21
{half} → 50%25
O{empty}X → OX
O{undef}X → OX
{x,y} → 1024,768
{x,hello,y} → 1024,Hello%20World%21,768
?{x,empty} → ?1024,
?{x,undef} → ?1024
?{undef,y} → ?768
{var:3} → val
{var:30} → value
{base} → http%3A%2F%2Fexample.com%2Fhome%2F
map?{x,y} → map?1024,768
{+var} → value
{+hello} → Hello%20World!
{+half} → 50%25
{+base}index → http://example.com/home/index
O{+empty}X → OX
O{+undef}X → OX
{+path}/here → /foo/bar/here
here?ref={+path} → here?ref=/foo/bar
up{+path}{var}/here → up/foo/barvalue/here
{+x,hello,y} → 1024,Hello%20World!,768
{+path,x}/here → /foo/bar,1024/here
{+path:6}/here → /foo/b/here
{#var} → #value
X{#var} → X#value
X{#hello} → X#Hello%20World!
{#half} → #50%25
foo{#empty} → foo#
foo{#undef} → foo
{#x,hello,y} → #1024,Hello%20World!,768
{#path,x}/here → #/foo/bar,1024/here
{#path:6}/here → #/foo/b/here
{.who} → .fred
{.who,who} → .fred.fred
{.half,who} → .50%25.fred
X{.var} → X.value
X{.x,y} → X.1024.768
X{.empty} → X.
X{.undef} → X
X{.var:3} → X.val
{/who} → /fred
{/who,who} → /fred/fred
{/half,who} → /50%25/fred
{/who,dub} → /fred/me%2Ftoo
{/var} → /value
{/var,empty} → /value/
{/var,undef} → /value
{/var,x}/here → /value/1024/here
{/var:1,var} → /v/value
{;who} → ;who=fred
{;half} → ;half=50%25
{;empty} → ;empty
{;v,empty,who} → ;v=6;empty;who=fred
{;v,bar,who} → ;v=6;who=fred
{;x,y} → ;x=1024;y=768
{;x,y,empty} → ;x=1024;y=768;empty
{;x,y,undef} → ;x=1024;y=768
{;hello:5} → ;hello=Hello
{?who} → ?who=fred
{?half} → ?half=50%25
{?x,y} → ?x=1024&y=768
{?x,y,empty} → ?x=1024&y=768&empty=
{?x,y,undef} → ?x=1024&y=768
{?var:3} → ?var=val
{&who} → &who=fred
{&half} → &half=50%25
?fixed=yes{&x} → ?fixed=yes&x=1024
{&x,y,empty} → &x=1024&y=768&empty=
{&x,y,undef} → &x=1024&y=768
{&var:3} → &var=val
`.trim().split("\n").map((line) => line.split(" → "));

function expanded(text: string, values: ReadonlyMap<string, string> = VALUES): string | null {
  const template = parseUriTemplate(text);
  return template === null ? null : expandUriTemplate(template, values);
}

Deno.test("expandUriTemplate() expands the RFC's examples", () => {
  assert.equal(EXAMPLES.length, 73);
  for (const [template = "", result = ""] of EXAMPLES) assert.equal(expanded(template), result, template);
});

Deno.test("expandUriTemplate() counts prefixes in code points and keeps percent-encoding in reserved expansion", () => {
  const values = new Map([["e", "😀😀x"], ["p", "a%2Fb%zz"], ["lone", "\ud800"], ["c", "\t\n\0"]]);
  assert.equal(expanded("{e:1}", values), "%F0%9F%98%80");
  assert.equal(expanded("{+p}|{p}", values), "a%2Fb%25zz%7Ca%252Fb%25zz");
  assert.equal(expanded("{lone}", values), "%EF%BF%BD");
  assert.equal(expanded("{+c}", values), "%09%0A%00");
  assert.equal(expanded("{?e*}", new Map([["e", "v"]])), "?e=v");
});

Deno.test("expandUriTemplate() encodes invalid characters of the template itself", () => {
  assert.equal(expanded(`https://x.example/a b"<é>/%ba/%`), "https://x.example/a%20b%22%3C%C3%A9%3E/%ba/%25");
});

Deno.test("parseUriTemplate() returns null for invalid syntax", () => {
  const bad = [
    "{foo",
    "{{}",
    "{//foo}",
    "{bar++}",
    "{id",
    "}",
    "a}b",
    "{}",
    "{a,}",
    "{,a}",
    "{a b}",
    "{a:0}",
  ];
  const more = [
    "{a:12345}",
    "{a:3*}",
    "{a*:3}",
    "{=a}",
    "{!a}",
    "{@a}",
    "{|a}",
    "{a-b}",
    "{a..b}",
    "{.}",
    "{ä}",
  ];
  const controls = ["java\tscript:", "a\nb", "a\0", "\ud800"];
  for (const text of [...bad, ...more, ...controls]) assert.equal(parseUriTemplate(text), null, text);
  for (
    const text of [
      "",
      "$fgfg",
      "{a.b}",
      "{%41}",
      "{a_1:9999}",
      "{+a,b}{/c}{?d*}{#e:5}",
      "https://x.example/%ba/",
    ]
  ) {
    assert.notEqual(parseUriTemplate(text), null, text);
  }
});

Deno.test("parseUriTemplate() returns each variable name once", () => {
  assert.deepEqual(parseUriTemplate("{a}{+b,a}{?c*,b:2}")?.variables, ["a", "b", "c"]);
});
