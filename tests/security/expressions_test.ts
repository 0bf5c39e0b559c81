import assert from "node:assert/strict";
import ts from "typescript";
import { readThreadMs } from "@/tests/helpers/event_loop.ts";
import fc from "@/tests/helpers/fast_check.ts";
import { readSources, visit } from "@/tests/helpers/sources.ts";

/** Folders whose expressions read the project's own files only. */
const OWN_TEXT = /^lib\/(build|fresh\/(build|dev))\//;
/** Length of the texts, in characters: linear work takes far less than MAX_MS, quadratic work far more. */
const LENGTH = 10_000;
const MAX_MS = 10;
/** Measurements before an expression counts as too slow. */
const ATTEMPTS = 5;
/** Number of matching texts that are made hostile, and the longest of them. */
const SAMPLES = 3;
const MAX_SAMPLE = 16;

interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** Returns the distinct expressions with an unlimited quantifier. */
function listExpressions(): Expression[] {
  const found = new Map<string, Expression>();
  for (const { path, ast } of readSources().filter(({ path }) => !OWN_TEXT.test(path))) {
    visit(ast, (node) => {
      if (!ts.isRegularExpressionLiteral(node)) return;
      const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
      if (/[*+]|\{\d+,\}/.test(source)) {
        found.set(node.text, { place: `${path}: ${node.text}`, source, flags });
      }
    });
  }
  return [...found.values()];
}

/** Returns texts that an expression matches, or at least their beginnings. */
function listSamples({ source, flags }: Expression): readonly string[] {
  // The generator knows neither sticky expressions nor assertions about what surrounds a match.
  const plain = source.replace(/\(\?<?[=!][^()]*\)|\\b/gi, "");
  try {
    const matching = fc.stringMatching(new RegExp(plain, flags.replace(/[gy]/g, "")), { size: "medium" });
    return fc.sample(matching, { numRuns: SAMPLES, seed: 1 }).map((text) => text.slice(0, MAX_SAMPLE));
  } catch {
    return [source.replace(/\\(.)/g, "$1").slice(0, MAX_SAMPLE)];
  }
}

/** Yields texts in which a part of a matching text is repeated and followed by what does not match. */
function* makeHostile(sample: string): Generator<string> {
  for (let start = 0; start < sample.length; start++) {
    for (let length = 1; length <= Math.min(2, sample.length - start); length++) {
      const part = sample.slice(start, start + length);
      yield sample.slice(0, start) + part.repeat(LENGTH / length) + "\u0000";
    }
  }
}

function measureMs(work: () => unknown): number {
  const start = readThreadMs();
  work();
  return readThreadMs() - start;
}

Deno.test("every expression takes linear time for a text that nearly matches", () => {
  const expressions = listExpressions();
  assert.ok(expressions.length > 100);
  const slow: string[] = [];
  for (const expression of expressions) {
    const { place, source, flags } = expression;
    // Replacing looks for a match from every position, as the other ways to use an expression do at most.
    const pattern = new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
    const parts = new Set([...listSamples(expression), ...[" ", "\n", "a", "0", "<", "/", ".", "-"]]);
    const texts = [...parts].flatMap((sample) => [...makeHostile(sample)]);
    const hostile = [...new Set(texts)].find((text) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (measureMs(() => text.replace(pattern, "")) <= MAX_MS) return false;
      }
      return true;
    });
    if (hostile !== undefined) slow.push(`${place} for ${JSON.stringify(hostile.slice(0, 50))}…`);
  }
  assert.deepEqual(slow, []);
});
