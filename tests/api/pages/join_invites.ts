import {
  inviteKeys,
  type InviteLinkRecord,
  type InviteOffer,
  type InviteRecord,
} from "@/lib/chat/invites/invite.ts";
import { inviteToken, type InviteTokenKind } from "@/lib/chat/invites/token.ts";
import { readRecord } from "@/lib/kv/key.ts";
import { transact } from "@/lib/kv/transact.ts";
import type { TestChat } from "@/tests/helpers/chat.ts";

/** The password of everybody who joins. */
export const JOIN_PASSWORD = "violet kettle seldom 42";
/** What the form of an account is filled with. */
export const JOIN_FORM = { full_name: "Noor Lake", password: JOIN_PASSWORD };

/** An invitation or a link in the store, and the path that it is opened at. */
export interface MadeInvite {
  readonly id: number;
  readonly path: string;
}

/** An offer by the administrator, of a membership for ten days, unless `changes` say otherwise. */
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

/** Invites noor@example.com, or whom `invite` names. */
export function invite(
  chat: TestChat,
  offer: Partial<InviteOffer> = {},
  changes: Partial<InviteRecord> = {},
): Promise<MadeInvite> {
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

/** Makes a reusable link. */
export function makeLink(
  chat: TestChat,
  offer: Partial<InviteOffer> = {},
  changes: Partial<InviteLinkRecord> = {},
): Promise<MadeInvite> {
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
  return `/join/${inviteToken(services.chat, { kind, realmId: realm.id, id, salt })}`;
}

/** What is stored of an invitation. */
export async function storedInvite(chat: TestChat, id: number): Promise<InviteRecord | null> {
  return await readRecord<InviteRecord>(chat.services.store.kv, inviteKeys.invite(chat.realm.id, id));
}

/** Changes what is stored of a reusable link. */
export async function revokeLink(chat: TestChat, id: number): Promise<void> {
  const key = inviteKeys.link(chat.realm.id, id);
  await transact(chat.services.store, async (tx) => {
    tx.set(key, { ...await tx.get<InviteLinkRecord>(key), is_revoked: true });
  });
}

/** The path of the link in the last mail, and whom it was sent to. */
export async function lastMail(chat: TestChat): Promise<{ to: string; text: string; path: string }> {
  const mail = (await chat.mails()).at(-1);
  const text = mail?.text ?? "";
  const path = /http:\/\/localhost:8000(\/join\/\S+)/.exec(text)?.[1] ?? "";
  return { to: mail?.to?.[0]?.address ?? "", text, path };
}

/** The title of a page. */
export function titleOf(html: string): string {
  return /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? "";
}
