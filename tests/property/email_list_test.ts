import assert from "node:assert/strict";
import fc, { codePoint } from "@/tests/helpers/fast_check.ts";
import { parseEmailList } from "@/lib/chat/joining/invites/create_invites.ts";
import { assertLinear } from "@/tests/helpers/assert_linear.ts";

const word = fc.string({ unit: fc.constantFrom(..."abcdefghij0123456789"), minLength: 1, maxLength: 8 });
const address = fc.tuple(word, word).map(([name, domain]) => `${name}@${domain}.example`);
/** Valid names, which are quoted in the list. */
const name = fc.string({ unit: fc.constantFrom(..."Ab é,;' -日"), maxLength: 20 });
const separator = fc.string({ unit: fc.constantFrom(",", ";", "\n", "\r\n"), minLength: 1, maxLength: 3 });
const blanks = fc.string({ unit: fc.constantFrom(" ", "\t"), maxLength: 3 });

const item = fc.record({ address, name, before: blanks, after: blanks, separator, form: fc.nat(2) });

interface Item {
  readonly address: string;
  readonly name: string;
  readonly form: number;
}

function write({ address, name, form }: Item): string {
  if (form === 0) return address;
  return form === 1 ? `<${address}>` : `"${name}" <${address}>`;
}

Deno.test("parseEmailList() returns the addresses of a generated list once each and in order", () => {
  fc.assert(fc.property(fc.array(item, { maxLength: 30 }), (items) => {
    const text = items.map((item) => item.before + write(item) + item.after + item.separator).join("");
    const found = parseEmailList(text);
    assert.deepEqual(found.map(({ email }) => email), [...new Set(items.map(({ address }) => address))]);
    for (const { email, name } of found) {
      const first = items.find(({ address }) => address === email);
      assert.equal(name, first?.form === 2 ? first.name.trim() : "");
    }
  }));
});

Deno.test("parseEmailList() returns distinct trimmed substrings of any text", () => {
  const unit = fc.constantFrom(...'ab@.<>",;\n\r \\é');
  const text = fc.oneof(fc.string({ unit, maxLength: 200 }), fc.string({ unit: codePoint, maxLength: 200 }));
  fc.assert(fc.property(text, (text) => {
    const found = parseEmailList(text);
    for (const { email } of found) {
      assert.notEqual(email, "");
      assert.equal(email, email.trim());
      assert.ok(text.includes(email));
    }
    const folded = found.map(({ email }) => email.toLowerCase());
    assert.equal(new Set(folded).size, folded.length);
  }));
});

Deno.test("parseEmailList() takes linear time for long hostile text", async () => {
  const pieces = ['"', "<", ">", '"\\"', '",', "<a@b>,", ' "x\n', '\\"', "a@b <"];
  for (const piece of pieces) {
    await assertLinear(parseEmailList, {
      make: (length) => piece.repeat(length / piece.length),
      longest: 160_000,
    });
  }
});
