import type { PasswordCost } from "@/lib/core/password.ts";

/** Low cost of hashed passwords; the real cost has its own tests. */
export const CHEAP_PASSWORDS: PasswordCost = { logN: 4, r: 1, p: 1 };
