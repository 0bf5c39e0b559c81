import {
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  type InviteRecord,
} from "@/lib/chat/joining/invites/model.ts";
import { createInviteToken, type InviteTokenKind } from "@/lib/chat/joining/invites/model.ts";
import { readRecord } from "@/lib/store/key.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import type { TestAppOptions } from "@/tests/helpers/app.ts";
import { startSmtp } from "./mail_cast.ts";

/** Password of every user who joins. */
export const JOIN_PASSWORD = "violet kettle seldom 42";
/** Fields of the account form. */
export const JOIN_FORM = { full_name: "Noor Lake", password: JOIN_PASSWORD };

/** A stored email invitation or link, and the path of its page. */
export interface CreatedInvite {
  readonly id: number;
  readonly path: string;
}

/**
 * Creates an offer by the administrator for a member, valid for ten days, unless `changes` says otherwise.
 */
function newOffer(chat: TestChat, id: number, changes: Partial<InviteOffer>): InviteOffer {
  const now = chat.clock.now();
  return {
    id,
    inviter_id: chat.admin.id,
    role: 400,
    created_at: now,
    expires_at: now + 10 * 24 * 60 * 60 * 1000,
    channel_ids: [],
    group_ids: [],
    include_realm_default_subscriptions: false,
    notify_referrer_on_join: true,
    welcome_message_custom_text: null,
    ...changes,
  };
}

/** Invites noor@example.com, or the address in `invite`. */
export function invite(
  chat: TestChat,
  offer: Partial<InviteOffer> = {},
  changes: Partial<InviteRecord> = {},
): Promise<CreatedInvite> {
  return transact(chat.services.store, async (tx) => {
    const offerId = await tx.nextId("invite_offer");
    const record: InviteRecord = {
      id: await tx.nextId("invite"),
      offer_id: offerId,
      email: "noor@example.com",
      suggested_name: "",
      state: "pending",
      salt: "ab".repeat(16),
      via_link_id: null,
      expires_at: null,
      ...changes,
    };
    const ofAddress = inviteKeys.ofAddress(chat.realm.id, record.email);
    tx.set(inviteKeys.offer(chat.realm.id, offerId), newOffer(chat, offerId, offer));
    tx.set(inviteKeys.invite(chat.realm.id, record.id), record);
    tx.set(ofAddress, [...await tx.get<number[]>(ofAddress) ?? [], record.id]);
    return { id: record.id, path: pathOf(chat, "invite", record) };
  });
}

/** Creates a reusable link. */
export function createLink(
  chat: TestChat,
  offer: Partial<InviteOffer> = {},
  changes: Partial<InviteLinkRecord> = {},
): Promise<CreatedInvite> {
  return transact(chat.services.store, async (tx) => {
    const offerId = await tx.nextId("invite_offer");
    const id = await tx.nextId("invite_link");
    const record = { id, offer_id: offerId, is_revoked: false, salt: "cd".repeat(16), ...changes };
    tx.set(inviteKeys.offer(chat.realm.id, offerId), newOffer(chat, offerId, offer));
    tx.set(inviteKeys.link(chat.realm.id, id), record);
    return { id, path: pathOf(chat, "link", record) };
  });
}

function pathOf(
  { services, realm }: TestChat,
  kind: InviteTokenKind,
  { id, salt }: { id: number; salt: string },
): string {
  return `/join/${createInviteToken(services.chat, { kind, realmId: realm.id, id, salt })}`;
}

/** Starts a server that delivers its mail, so that visitors to reusable links confirm their addresses. */
export async function startMailingChat(options: TestAppOptions = {}): Promise<TestChat> {
  const smtp = await startSmtp();
  const chat = await startChat({ ...options, env: { ...options.env, SMTP_URL: smtp.url } });
  return {
    ...chat,
    async mails() {
      await chat.services.mailer.sweep();
      return smtp.received.map(({ email }) => email);
    },
    async [Symbol.asyncDispose]() {
      await chat[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
}

/** Returns the stored record of an invitation. */
export async function storedInvite(chat: TestChat, id: number): Promise<InviteRecord | null> {
  return await readRecord<InviteRecord>(chat.services.store.kv, inviteKeys.invite(chat.realm.id, id));
}

/** Revokes a reusable link. */
export async function revokeLink(chat: TestChat, id: number): Promise<void> {
  const key = inviteKeys.link(chat.realm.id, id);
  await transact(chat.services.store, async (tx) => {
    tx.set(key, { ...await tx.get<InviteLinkRecord>(key), is_revoked: true });
  });
}

/** Returns the link path and the recipient of the last mail. */
export async function lastMail(chat: TestChat): Promise<{ to: string; text: string; path: string }> {
  const mail = (await chat.mails()).at(-1);
  const text = mail?.text ?? "";
  const path = /http:\/\/localhost:8000(\/join\/\S+)/.exec(text)?.[1] ?? "";
  return { to: mail?.to?.[0]?.address ?? "", text, path };
}

/** Returns the title of a page. */
export function titleOf(html: string): string {
  return /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? "";
}
