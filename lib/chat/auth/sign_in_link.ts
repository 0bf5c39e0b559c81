import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/store.ts";
import { realmUrl } from "../organizations/model.ts";
import { auditUser } from "../users/events.ts";
import { type Caller, type ChangeContext, isBot, isOwner, type UserRecord } from "../users/model.ts";
import { getActingAdmin, getUser } from "../users/store.ts";
import { generateLinkToken, replaceSignInLink } from "./confirmations.ts";
import { RESET_LIFETIME_MS } from "./reset_password.ts";
import { changeManagedUser } from "./revoke_access.ts";

/** A link that signs a user in once, after they chose a password. */
export interface SignInLink {
  readonly user: UserRecord;
  readonly url: string;
  /** Milliseconds since 1970 UTC. */
  readonly expiresAt: number;
}

/** Number of users in one commit, which checks two records of each. */
const USERS_PER_COMMIT = 20;

/**
 * Makes a sign-in link for a human, which replaces their older one.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function createSignInLink(app: ChatApp, caller: Caller, id: number): Promise<SignInLink> {
  return await changeManagedUser(app, caller, {
    id,
    work: async (context, { actor, target: user }) => {
      // With a link of their own, a user could change their password without knowing it.
      if (user.id === actor.id) {
        throw new AppError("BAD_REQUEST", "Change your own password on your account page.");
      }
      auditUser(context, { actor, user, action: "sign_in_link_created" });
      return await writeLink(context, actor, user);
    },
  });
}

/**
 * Makes sign-in links for those of some users who have no password and whom the caller may manage, with one audit
 * entry.
 * @throws AppError UNAUTHORIZED_PRINCIPAL.
 */
export async function createFirstSignInLinks(
  app: ChatApp,
  { realm, actingUser }: Caller,
  ids: readonly number[],
): Promise<readonly SignInLink[]> {
  const links: SignInLink[] = [];
  for (const [at, batch] of chunk([...ids], USERS_PER_COMMIT).entries()) {
    const made = await transact(app.store, async (tx) => {
      const context = { app, tx, realm };
      const actor = await getActingAdmin(tx, { realm, actingUser });
      // Before the first link exists, so that none goes unrecorded.
      if (at === 0) auditLinks(context, actor, ids.length);
      const users = await Promise.all(batch.map((id) => getUser(tx, realm.id, id)));
      const chosen = users.filter((user) => needsLink(user) && (isOwner(actor) || !isOwner(user)));
      return await Promise.all(chosen.map((user) => writeLink(context, actor, user)));
    });
    links.push(...made);
  }
  return links;
}

/** Returns whether a user can sign in only after they got a link: an active human without a password. */
export function needsLink(user: UserRecord): boolean {
  return user.is_active && user.password_hash === null && !isBot(user) && user.is_system_bot !== true;
}

function auditLinks({ app, tx, realm }: ChangeContext, actor: UserRecord, count: number): void {
  recordAudit(tx, { realmId: realm.id, now: app.clock.now() }, {
    acting_user_id: actor.id,
    action: "user_sign_in_links_created",
    target: { kind: "user", id: 0, name: "" },
    details: { count: String(count) },
  });
}

async function writeLink(
  { app, tx, realm }: ChangeContext,
  actor: UserRecord,
  user: UserRecord,
): Promise<SignInLink> {
  const now = app.clock.now();
  const token = generateLinkToken();
  const expiresAt = now + RESET_LIFETIME_MS;
  await replaceSignInLink(tx, { realmId: realm.id, token, now }, {
    kind: "sign_in",
    user_id: user.id,
    email: user.delivery_email,
    session_epoch: user.session_epoch,
    made_by: actor.id,
    expires_at: expiresAt,
  });
  return { user, url: `${realmUrl(app, realm)}/reset-password/${token}`, expiresAt };
}
