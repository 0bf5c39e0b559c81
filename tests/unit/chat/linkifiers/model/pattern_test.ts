import assert from "node:assert/strict";
import { compilePattern } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";

function problemOf(pattern: string): string | null {
  const compiled = compilePattern(pattern);
  return "problem" in compiled ? compiled.problem : null;
}

Deno.test("compilePattern() accepts RE2 patterns and returns their group names", () => {
  const compiled = compilePattern("#(?P<id>\\d+)(?P<more>x)?");
  assert.ok(!("problem" in compiled));
  assert.deepEqual([...compiled.groups], ["id", "more"]);
  assert.equal(compiled.prefix, "#");
  for (const good of ["^(a+)+$", "(a|a)*b", "(x+x+)+y", "[0-9a-f]{64}", "(?i)foo", "\\pL+", "(?m)^a$"]) {
    assert.equal(problemOf(good), null, good);
  }
});

Deno.test("compilePattern() refuses features that require backtracking", () => {
  for (const bad of ["(?=a)b", "(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?P<a>x)(?P=a)", "(?>a)", "a++"]) {
    assert.notEqual(problemOf(bad), null, bad);
  }
});

Deno.test("compilePattern() describes the syntax error", () => {
  assert.match(problemOf("(foo") ?? "", /^missing.*\): \(foo$/);
  assert.match(problemOf("????") ?? "", /repetition/);
  for (
    const bad of [
      "a)(b",
      "[a",
      "a**",
      "\\",
      "(?P<a>x)(?P<a>y)",
      "(?P<>x)",
      "(?P<a-b>x)",
      "\\Qa",
      "(?P<n>\\Qa",
    ]
  ) {
    assert.notEqual(problemOf(bad), null, bad);
  }
});

Deno.test("compilePattern() refuses patterns that compile to large programs", () => {
  const bombs = [
    "((a{1000}){1000}){1000}",
    "(a{1000}){1000}",
    "a{1001}",
    "\\p{L}{1000}",
    "((\\pL{9}){9}){9}",
  ];
  const deep = [
    "(".repeat(499) + "a" + ")".repeat(499),
    "(?:a|b".repeat(100) + ")".repeat(100),
    "a?".repeat(400),
  ];
  for (const bomb of [...bombs, ...deep]) assert.notEqual(problemOf(bomb), null, bomb.slice(0, 30));
});

Deno.test("compilePattern() returns the literal prefix of every match", () => {
  const prefixes = {
    "PROJ-(?P<id>\\d+)": "PROJ-",
    "ab?c": "a",
    "ab*": "a",
    "ab+": "a",
    "ab{0}": "a",
    "a|b": "",
  };
  const others = { "(?i)foo": "", "foo.bar": "foo", "": "", "(?:x)": "", "a\\d": "a" };
  for (const [pattern, prefix] of Object.entries({ ...prefixes, ...others })) {
    const compiled = compilePattern(pattern);
    assert.equal("problem" in compiled ? null : compiled.prefix, prefix, pattern);
  }
});
