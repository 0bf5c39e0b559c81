import { AppError } from "@/lib/core/errors.ts";
import { requireAddress } from "@/lib/mail/header_text.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { addressProblem } from "../users/address_policy.ts";
import { requireEmail } from "../users/email.ts";
import { readUser } from "../users/store.ts";
import { userKeys } from "../users/user.ts";
import type { InviteProblem } from "./failure.ts";
import type { Invitee } from "./parse_email_list.ts";

/** What became of addresses before anybody was invited, each list in the order of the addresses. */
export interface CheckedAddresses {
  readonly fit: readonly Invitee[];
  /** What is no address, or none that the organization takes. */
  readonly refused: readonly InviteProblem[];
  /** Addresses that accounts have already. */
  readonly taken: readonly InviteProblem[];
}

/** Sorts addresses by whether they can be invited. */
export async function checkAddresses(
  app: ChatApp,
  realm: RealmRecord,
  invitees: readonly Invitee[],
): Promise<CheckedAddresses> {
  const refused: InviteProblem[] = [];
  const valid: Invitee[] = [];
  for (const invitee of invitees) {
    const reason = isAddress(invitee.email) ? await addressProblem(realm, invitee.email) : "Invalid address.";
    if (reason === null) valid.push(invitee);
    else refused.push([invitee.email, reason, false]);
  }
  const problems = await Promise.all(valid.map(({ email }) => accountProblem(app, realm.id, email)));
  return {
    refused,
    taken: problems.filter((problem) => problem !== null),
    fit: valid.filter((_, at) => problems[at] === null),
  };
}

/** A host of one label is a slip of the hand (`ann@example`), but for this very machine. */
const WHOLE_HOST = /@(?:[^@]*\.[^@]*|localhost)$/i;

/** Mail must be able to reach it, and it must be what accounts may have; the quick look comes first. */
function isAddress(text: string): boolean {
  try {
    return WHOLE_HOST.test(text) && requireEmail(requireAddress(text)) === text;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function accountProblem(app: ChatApp, realmId: number, email: string): Promise<InviteProblem | null> {
  const id = await app.reads.read<number>(userKeys.byEmail(realmId, email));
  const user = id === null ? null : await readUser(app, realmId, id);
  if (user === null) return null;
  if (user.is_system_bot === true) return [email, "Reserved for system bots.", false];
  if (user.is_active) return [email, "Already has an account.", false];
  return [email, "Account has been deactivated.", true];
}
