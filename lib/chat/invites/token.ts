import { createHmac } from "node:crypto";
import { equalSecrets } from "@/lib/core/bytes.ts";
import type { ChatApp } from "../app.ts";

/** Kinds of links to join: of an invitation of one address, and a reusable one. */
export type InviteTokenKind = "invite" | "link";

/** What a link's secret is derived from. */
export interface InviteSecretOf {
  readonly kind: InviteTokenKind;
  readonly realmId: number;
  readonly id: number;
  readonly salt: string;
}

/** What the path of a link names, before its secret is checked. */
export interface ParsedInviteToken {
  readonly kind: InviteTokenKind;
  readonly id: number;
  readonly secret: string;
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
/** Letters of the secret: 160 bits. */
const SECRET_LETTERS = 32;
const MARKS: Readonly<Record<InviteTokenKind, string>> = { invite: "i", link: "m" };

/**
 * The key in a link to join: a letter for the kind, the id, and 160 bits that only the server can derive, so that they
 * are stored nowhere.
 */
export function inviteToken(app: Pick<ChatApp, "secretKey">, of: InviteSecretOf): string {
  return `${MARKS[of.kind]}${of.id}-${secretOf(app, of)}`;
}

/** The parts of a key; null for what has not the form of one. */
export function parseInviteToken(token: string): ParsedInviteToken | null {
  const [, mark, id = "", secret = ""] = /^([im])(\d{1,15})-([a-z2-7]{32})$/.exec(token) ?? [];
  if (mark === undefined) return null;
  return { kind: mark === MARKS.link ? "link" : "invite", id: Number(id), secret };
}

/** Whether a key's secret is the one of that invitation or link. */
export async function isInviteSecret(
  app: Pick<ChatApp, "secretKey">,
  of: InviteSecretOf,
  secret: string,
): Promise<boolean> {
  return await equalSecrets(secretOf(app, of), secret);
}

function secretOf(
  { secretKey }: Pick<ChatApp, "secretKey">,
  { kind, realmId, id, salt }: InviteSecretOf,
): string {
  const digest = createHmac("sha256", secretKey).update(`join|${kind}|${realmId}|${id}|${salt}`).digest();
  let letters = "";
  for (let bit = 0; letters.length < SECRET_LETTERS; bit += 5) {
    const pair = ((digest[bit >> 3] ?? 0) << 8) | (digest[(bit >> 3) + 1] ?? 0);
    letters += BASE32[(pair >> (11 - (bit & 7))) & 31] ?? "";
  }
  return letters;
}
