import type { TestChat, TestUser } from "@/tests/helpers/chat.ts";

/** Callers of the matrix, in the order of its columns. */
export const CALLERS = [
  "none",
  "spectator",
  "guest",
  "restricted",
  "member",
  "moderator",
  "admin",
  "owner",
  "bot",
  "other",
  "deactivated",
] as const;

/** Name of a caller. */
export type CallerName = typeof CALLERS[number];

/** A caller; an account of another organization presents its credentials to this organization's host. */
export interface MatrixCaller {
  readonly name: CallerName;
  /** Null without credentials. */
  readonly account: TestUser | null;
}

/** Names of the callers with an account of the organization. */
export const ACCOUNTS = [
  "guest",
  "restricted",
  "member",
  "moderator",
  "admin",
  "owner",
  "bot",
  "deactivated",
] as const satisfies readonly CallerName[];

/** Name of a caller with an account of the organization. */
export type AccountName = typeof ACCOUNTS[number];

/** Adds the accounts that the cast lacks; the deactivated account is still active. */
export async function addAccounts(chat: TestChat): Promise<Readonly<Record<AccountName, TestUser>>> {
  const { guest, member, moderator, admin, owner, bot } = chat;
  const restricted = await chat.add("restricted", 600);
  const deactivated = await chat.add("deactivated");
  return { guest, restricted, member, moderator, admin, owner, bot, deactivated };
}

/** Whether a caller has credentials that the organization accepts. */
export function isAdmitted({ name }: MatrixCaller): boolean {
  return ACCOUNTS.some((account) => account === name) && name !== "deactivated";
}

/** Lists the callers in the order of the columns. */
export function listCallers(
  chat: TestChat,
  accounts: Readonly<Record<AccountName, TestUser>>,
): readonly MatrixCaller[] {
  const others = { none: null, spectator: null, other: { ...chat.outsider, realm: chat.realm } };
  return CALLERS.map((name) => ({ name, account: { ...others, ...accounts }[name] }));
}
