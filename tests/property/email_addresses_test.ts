import assert from "node:assert/strict";
import fc, { codePoint } from "@/tests/helpers/fast_check.ts";
import { assertLinear } from "@/tests/helpers/assert_linear.ts";
import { mailboxOf, requireEmail } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { isEmailAddress, requireAddress } from "@/lib/mail/mail.ts";
import { readThreadMs } from "@/tests/helpers/event_loop.ts";

/** Characters of an address besides dots (RFC 5322, 3.2.3; RFC 6532, 3.2). */
const atomCharacter = fc.constantFrom(..."abcXYZ019!#$%&'*+-/=?^_`{|}~éßİ日本😀\u0301ش");
const atom = fc.string({ unit: atomCharacter, minLength: 1, maxLength: 12 });
const label = fc.string({ unit: fc.constantFrom(..."abc019üé日"), minLength: 1, maxLength: 8 });
const joined = (part: fc.Arbitrary<string>) =>
  fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("."));
const address = fc.tuple(joined(atom), joined(label)).map(([local, domain]) => `${local}@${domain}`);
const blanks = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\u00a0"), maxLength: 3 });

function accepts(text: string): boolean {
  try {
    requireEmail(text);
    return true;
  } catch (error) {
    assert.ok(error instanceof AppError && error.message === "Enter a valid email address.");
    return false;
  }
}

Deno.test("requireEmail() returns generated addresses without the blanks around them", () => {
  fc.assert(fc.property(address, blanks, blanks, (address, before, after) => {
    assert.equal(requireEmail(before + address + after), address);
    assert.equal(requireAddress(address), address);
  }));
});

Deno.test("requireEmail() refuses whatever is inserted that has a meaning in an address", () => {
  const special = fc.constantFrom(...'@()<>[]:;,\\" \t\r\n\u0000\u00a0\u200b\u2028\ud800');
  fc.assert(fc.property(address, special, fc.nat(), (address, special, seed) => {
    const at = 1 + seed % (address.length - 1);
    // Half of a character outside the Basic Multilingual Plane is refused for another reason.
    fc.pre(!/[\ud800-\udbff]/.test(address.charAt(at - 1)));
    assert.ok(!accepts(address.slice(0, at) + special + address.slice(at)));
  }));
});

Deno.test("requireEmail() refuses empty parts, comments, quoted strings and addresses of 255 characters", () => {
  const longest = `${"a".repeat(242)}@example.com`;
  assert.ok(accepts(longest) && accepts("ann@localhost") && accepts("ann@xn--bcher-kva.example"));
  const refused = ["", "@", "a@", "@b", ".a@b", "a.@b", "a..b@c", "a@.b", "a@b.", "a@b..c", "a@b@c", "ann"];
  const exotic = ["a(c)@b", '"a b"@c', '"a"@b', "a@[127.0.0.1]", "Ann <a@b>", "<a@b>", "x:a@b;", "a@b,c@d"];
  for (const text of [...refused, ...exotic, `a${longest}`, `${"é".repeat(243)}@example.com`]) {
    assert.ok(!accepts(text), text);
  }
});

Deno.test("isEmailAddress() accepts exactly two lists of atoms around one @", () => {
  const unit = fc.oneof(fc.constantFrom(...'ab@.é"(<'), codePoint);
  fc.assert(fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
    const parts = text.split("@").flatMap((side) => side.split("."));
    const hasAtoms = parts.every((part) => /^[^\s\p{Cc}\p{Cf}\p{Cs}()<>[\]:;,\\"]+$/u.test(part));
    assert.equal(isEmailAddress(text), text.split("@").length === 2 && hasAtoms);
  }));
});

/** Pieces of texts that are costly for a parser which backtracks. */
const HOSTILE = ["( )", "(", "(a", "a.", "é.", '"', '"\\', "\\", "[", "<", "a@", "@", ".", " ", "+", "😀."];

Deno.test("requireEmail() refuses a thousand addresses of hostile characters in 50 ms", () => {
  for (const piece of HOSTILE) {
    const text = `${piece.repeat(250).slice(0, 243)}@x..example`;
    let leastMs = Infinity;
    for (let round = 0; round < 20 && leastMs > 50; round++) {
      const start = readThreadMs();
      for (let count = 0; count < 1000; count++) assert.ok(!accepts(text));
      leastMs = Math.min(leastMs, readThreadMs() - start);
    }
    assert.ok(leastMs <= 50, `${JSON.stringify(piece)} takes ${leastMs} ms`);
  }
});

Deno.test("requireEmail() and mailboxOf() take linear time for long hostile text", async () => {
  for (const piece of HOSTILE) {
    const hostile = { make: (length: number) => piece.repeat(length / piece.length), longest: 160_000 };
    await assertLinear(accepts, hostile);
    await assertLinear(mailboxOf, hostile);
  }
});

Deno.test("mailboxOf() returns an address in lower case without its tag", () => {
  for (
    const [address, mailbox] of [
      [" Ann+News@Example.com ", "ann@example.com"],
      ["ann+a+b@example.com", "ann@example.com"],
      ["ann@exam+ple.com", "ann@exam+ple.com"],
      ["+ann@example.com", "@example.com"],
      ["ann+news", "ann+news"],
    ] as const
  ) assert.equal(mailboxOf(address), mailbox);
});
