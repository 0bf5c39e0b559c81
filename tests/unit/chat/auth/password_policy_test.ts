import assert from "node:assert/strict";
import fc, { codePoint } from "@/tests/helpers/fast_check.ts";
import { MIN_PASSWORD_LENGTH, requireStrongPassword } from "@/lib/chat/people/auth/passwords.ts";
import { MAX_PASSWORD_LENGTH } from "@/lib/core/password.ts";
import { AppError } from "@/lib/core/errors.ts";

const ABOUT = ["Ann Vrelqumond", "ann.vrelqumond@example.com"];
const WEAK = { code: "BAD_REQUEST", message: "New password is too weak!" };

for (
  const password of [
    "",
    "x9#Kq2!",
    "password",
    "Passw0rd!",
    "qwertyuiop",
    "12345678901234567890",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "abcdefghijklmnop",
    "2026-11-21",
  ]
) {
  Deno.test(`requireStrongPassword() refuses ${JSON.stringify(password)}`, async () => {
    await assert.rejects(requireStrongPassword(password, ABOUT), WEAK);
  });
}

for (const password of ["a quiet garden wall", "Qr7!kkzz19x", "xk3#Lq9z", "夜の庭は静かに雨を待つ"]) {
  Deno.test(`requireStrongPassword() accepts ${JSON.stringify(password)}`, async () => {
    await requireStrongPassword(password, ABOUT);
  });
}

Deno.test("requireStrongPassword() refuses words known about the user and accepts them for another user", async () => {
  for (const password of ["vrelqumond", "Vrelqumond1", "ann.vrelqumond@example.com"]) {
    await assert.rejects(requireStrongPassword(password, ABOUT), WEAK, password);
  }
  await requireStrongPassword("vrelqumond", ["Bo Lindqvist", "bo@example.org"]);
});

Deno.test("requireStrongPassword() counts code points, not UTF-16 units", async () => {
  const seven = "🌱🦉🌊🍂🪶🔭🧭";
  assert.equal([...seven].length, MIN_PASSWORD_LENGTH - 1);
  await assert.rejects(requireStrongPassword(seven, []), WEAK);
  await requireStrongPassword(`${seven}🪁`, []);
});

Deno.test("requireStrongPassword() accepts the maximum length and refuses a longer password", async () => {
  const longest = "a quiet garden wall ".repeat(MAX_PASSWORD_LENGTH / 20);
  await requireStrongPassword(`Qr7!kkzz19x${longest}`.slice(0, MAX_PASSWORD_LENGTH), []);
  await assert.rejects(requireStrongPassword(`${longest}x`, []), {
    code: "BAD_REQUEST",
    message: "New password is too long!",
  });
});

Deno.test("requireStrongPassword() accepts any password or throws an AppError", async () => {
  const texts = fc.string({ unit: codePoint, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(texts, fc.array(texts, { maxLength: 3 }), async (password, about) => {
      await requireStrongPassword(password, about).catch((error) => assert.ok(error instanceof AppError));
    }),
    { numRuns: 60 },
  );
});

Deno.test("requireStrongPassword() says what is weak about a password", async () => {
  const cases = [
    ["abc", "short"],
    ["password1", "common"],
    ["noor lake", "personal"],
    ["abcdefgh1234", "pattern"],
  ] as const;
  for (const [password, reason] of cases) {
    await assert.rejects(requireStrongPassword(password, ["Noor Lake"]), { ...WEAK, reason }, password);
  }
});
