import type { ChatApp } from "@/lib/chat/app.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { findEmailProblem, userKeys } from "@/lib/chat/users/model.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { isEmailAddress } from "@/lib/mail/mail.ts";
import type { Invitee, InviteProblem } from "../model.ts";

/** Addresses grouped by whether they can be invited, each list in the order of the request. */
export interface CheckedAddresses {
  readonly invitable: readonly Invitee[];
  /** Invalid addresses, and addresses that the organization does not accept. */
  readonly invalid: readonly InviteProblem[];
  /** Addresses that already have an account. */
  readonly taken: readonly InviteProblem[];
}

/** Groups addresses by whether they can be invited. */
export async function checkAddresses(
  app: ChatApp,
  realm: RealmRecord,
  invitees: readonly Invitee[],
): Promise<CheckedAddresses> {
  const invalid: InviteProblem[] = [];
  const valid: Invitee[] = [];
  for (const invitee of invitees) {
    const reason = isReachable(invitee.email)
      ? await findEmailProblem(realm, invitee.email)
      : "Invalid address.";
    if (reason === null) valid.push(invitee);
    else invalid.push([invitee.email, reason, false]);
  }
  const problems = await Promise.all(valid.map(({ email }) => findAccountProblem(app, realm.id, email)));
  return {
    invalid,
    taken: problems.filter((problem) => problem !== null),
    invitable: valid.filter((_, index) => problems[index] === null),
  };
}

/**
 * Returns whether mail can reach the address. A host with a single label is a typing error (`ann@example`),
 * except on this machine.
 */
function isReachable(address: string): boolean {
  const host = address.slice(address.lastIndexOf("@") + 1);
  return isEmailAddress(address) && (host.includes(".") || host.toLowerCase() === "localhost");
}

async function findAccountProblem(
  app: ChatApp,
  realmId: number,
  email: string,
): Promise<InviteProblem | null> {
  const id = await app.reads.read<number>(userKeys.byEmail(realmId, email));
  const user = id === null ? null : await readUser(app, realmId, id);
  if (user === null) return null;
  if (user.is_system_bot === true) return [email, "Reserved for system bots.", false];
  if (user.is_active) return [email, "Already has an account.", false];
  return [email, "Account has been deactivated.", true];
}
