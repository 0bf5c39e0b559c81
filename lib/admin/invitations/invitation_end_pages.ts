import { type ActiveInvite, readActiveInvites } from "@/lib/chat/invites/store.ts";
import { resendInvite, revokeInvite, showInviteUrl } from "@/lib/chat/invites/invite_mails.ts";
import { revokeInviteLink } from "@/lib/chat/invites/invite_links.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { idOf, mayManage, readInvitation } from "./invitation_list.ts";

/** An invitation on a confirmation page. */
export interface AskedInvitation {
  readonly kind: "email" | "link";
  readonly id: number;
  /** Empty for links. */
  readonly email: string;
}

/** Data of a page that confirms an action on one invitation. */
export interface AskedData {
  readonly invitation: AskedInvitation;
  /** Whether the server delivers email. */
  readonly hasMail: boolean;
}

/** Data of a page that confirms an action on several invitations. */
export interface AskedManyData {
  readonly invitations: readonly AskedInvitation[];
}

const LIST = "/admin/invitations";

/** The page that confirms revoking an email invitation. */
export const revokeEmailPage: AdminPageSpec<AskedData> = {
  load: (request) => loadAsked(request, "email"),
  actions: { revoke: { run: (request) => revokeOne(request, "email") } },
};

/** The page that confirms revoking a reusable link. */
export const revokeReusablePage: AdminPageSpec<AskedData> = {
  load: (request) => loadAsked(request, "link"),
  actions: { revoke: { run: (request) => revokeOne(request, "link") } },
};

/** The page that confirms resending an invitation. */
export const resendPage: AdminPageSpec<AskedData> = {
  load: (request) => loadAsked(request, "email"),
  actions: { resend: { run: resend } },
};

/** The page with the link of an email invitation, which is rendered only in the answer to the form. */
export const inviteUrlPage: AdminPageSpec<AskedData> = {
  load: loadManageable,
  actions: { show: { run: showUrl } },
};

/** The page that confirms revoking the invitations in its query. */
export const revokeManyPage: AdminPageSpec<AskedManyData> = {
  load: loadMany,
  actions: { revoke: { run: revokeMany } },
};

/** Returns the key of an invitation in queries and forms. */
function invitationKey({ kind, id }: AskedInvitation): string {
  return `${kind}-${id}`;
}

async function loadAsked(request: AdminRequest, kind: "email" | "link"): Promise<AskedData | null> {
  const open = await readInvitation(request, { kind, id: pathId(request) });
  return open === null ? null : toAskedData(request, open);
}

/** Invitations that the caller may not manage are treated as missing. */
async function loadManageable(request: AdminRequest): Promise<AskedData | null> {
  const open = await readInvitation(request, { kind: "email", id: pathId(request) });
  return open !== null && mayManage(request.user, open.offer) ? toAskedData(request, open) : null;
}

function toAskedData({ chat }: AdminRequest, open: ActiveInvite): AskedData {
  return { invitation: toAsked(open), hasMail: chat.config.isMailDelivered };
}

async function showUrl(request: AdminRequest): Promise<Done> {
  const url = await showInviteUrl(request.chat, request.caller, pathId(request));
  return { flash: "", isDraft: true, result: { url } };
}

async function loadMany(request: AdminRequest): Promise<AskedManyData> {
  return { invitations: await readChosen(request, request.query.getAll("chosen")) };
}

/** Returns the selected invitations that are still open and that the caller may revoke. */
async function readChosen(
  request: AdminRequest,
  keys: readonly string[],
): Promise<readonly AskedInvitation[]> {
  const wanted = new Set(keys);
  const all = await readActiveInvites(request.chat, request.caller);
  return all.filter(({ offer }) => mayManage(request.user, offer)).map(toAsked).filter((asked) =>
    wanted.has(invitationKey(asked))
  );
}

function toAsked(open: ActiveInvite): AskedInvitation {
  return { kind: open.kind, id: idOf(open), email: open.kind === "email" ? open.invite.email : "" };
}

async function revoke({ chat, caller }: AdminRequest, { kind, id }: AskedInvitation): Promise<void> {
  if (kind === "email") await revokeInvite(chat, caller, id);
  else await revokeInviteLink(chat, caller, id);
}

async function revokeOne(request: AdminRequest, kind: "email" | "link"): Promise<Done> {
  const id = pathId(request);
  const asked = (await loadAsked(request, kind))?.invitation ?? { kind, id, email: "" };
  await revoke(request, asked);
  return {
    flash: request.formatter.t(request.messages.invitations.revoked, { name: nameOf(request, asked) }),
    to: LIST,
  };
}

async function revokeMany(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { formatter, messages: { invitations: text } } = request;
  const keys = new Set(fields.all("chosen"));
  let count = 0;
  for (const asked of await readChosen(request, [...keys])) {
    try {
      await revoke(request, asked);
      count++;
    } catch (error) {
      // It was used or revoked meanwhile, or its role was raised; the others are revoked all the same.
      if (!(error instanceof AppError) || !/^(BAD_REQUEST|UNAUTHORIZED_PRINCIPAL)$/.test(error.code)) {
        throw error;
      }
    }
  }
  if (keys.size === 0) throw new FormRefusal({ form: text.nothingChosen });
  const revoked = formatter.t(text.revokedMany, { count });
  const left = keys.size - count;
  if (left === 0) return { flash: revoked, to: LIST };
  return {
    flash: formatter.t(text.revokedPartly, { revoked, left: formatter.t(text.leftOver, { count: left }) }),
    to: LIST,
  };
}

async function resend(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages: { invitations: text } } = request;
  const email = (await loadAsked(request, "email"))?.invitation.email ?? "";
  await resendInvite(chat, caller, pathId(request));
  const flash = chat.config.isMailDelivered ? text.resent : text.resentUnsent;
  return { flash: formatter.t(flash, { email }), to: LIST };
}

function nameOf(
  { formatter, messages: { invitations: text } }: AdminRequest,
  asked: AskedInvitation,
): string {
  return asked.kind === "link"
    ? formatter.t(text.linkName, { id: String(asked.id) })
    : formatter.t(text.emailName, { email: asked.email });
}
