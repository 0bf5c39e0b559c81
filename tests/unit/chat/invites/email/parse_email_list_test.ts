import assert from "node:assert/strict";
import { MAX_INVITEES, parseEmailList } from "@/lib/chat/joining/invites/create_invites.ts";
import { AppError } from "@/lib/core/errors.ts";

function emails(text: string): string[] {
  return parseEmailList(text).map(({ email }) => email);
}

Deno.test("parseEmailList() splits at commas, semicolons and line breaks and drops whitespace", () => {
  assert.deepEqual(emails("a@x.y,b@x.y;c@x.y\nd@x.y\r\ne@x.y\r,;\n\n f@x.y\t,"), [
    ...["a@x.y", "b@x.y", "c@x.y", "d@x.y", "e@x.y", "f@x.y"],
  ]);
  assert.deepEqual(emails(""), []);
  assert.deepEqual(emails(" ,;\r\n\t"), []);
});

Deno.test("parseEmailList() keeps valid names", () => {
  assert.deepEqual(
    parseEmailList('Ada <a@x.y>, "Doe, Jane; PhD" <b@x.y>, <c@x.y>, Ev*l <d@x.y>, "" <e@x.y>'),
    [
      { email: "a@x.y", name: "Ada" },
      { email: "b@x.y", name: "Doe, Jane; PhD" },
      { email: "c@x.y", name: "" },
      { email: "d@x.y", name: "" },
      { email: "e@x.y", name: "" },
    ],
  );
  const [long] = parseEmailList(`${"🌱".repeat(150)} <a@x.y>`);
  assert.equal(long?.name, "🌱".repeat(100));
});

Deno.test("parseEmailList() returns an address once, in its first spelling", () => {
  assert.deepEqual(parseEmailList("One <A@x.y>, a@X.Y, Two <a@x.y>"), [{ email: "A@x.y", name: "One" }]);
});

Deno.test("parseEmailList() ignores an unclosed quote", () => {
  assert.deepEqual(emails('"Bob <bob@x.y>, carol@x.y\n"Dave" <dave@x.y>'), [
    "bob@x.y",
    "carol@x.y",
    "dave@x.y",
  ]);
  assert.deepEqual(emails('it"s@x.y, o"clock@x.y'), ['it"s@x.y', 'o"clock@x.y']);
});

Deno.test("parseEmailList() returns text without an address unchanged", () => {
  assert.deepEqual(emails("Name <>, >x<, bad"), ["Name <>", ">x<", "bad"]);
});

Deno.test("parseEmailList() accepts up to MAX_INVITEES addresses", () => {
  const list = Array.from({ length: MAX_INVITEES }, (_, at) => `a${at}@x.y`);
  assert.equal(emails([...list, ...list].join()).length, MAX_INVITEES);
  assert.throws(
    () => emails([...list, "b@x.y"].join()),
    (error) => error instanceof AppError && error.message === "You can invite 5000 people at once at most.",
  );
});
