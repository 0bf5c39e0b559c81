import type { OpenInvitation } from "@/lib/chat/invites/open_invitations.ts";
import { readOpenInvitations } from "@/lib/chat/invites/open_invitations.ts";
import { resendInvite } from "@/lib/chat/invites/resend.ts";
import { revokeInvite, revokeLink } from "@/lib/chat/invites/revoke.ts";
import { AppError } from "@/lib/core/errors.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "./admin_page.ts";
import { type AdminRequest, pathId } from "./admin_request.ts";
import type { FormFields } from "./form_fields.ts";
import { idOf, mayManage, readInvitation } from "./invitation_list.ts";

/** An invitation that something is asked about. */
export interface AskedInvitation {
  readonly kind: "email" | "link";
  readonly id: number;
  /** Empty for links. */
  readonly email: string;
}

/** What a page that asks about one invitation shows. */
export interface AskedData {
  readonly invitation: AskedInvitation;
}

/** What the page that asks about several shows. */
export interface AskedManyData {
  readonly invitations: readonly AskedInvitation[];
}

const LIST = "/admin/invitations";

/** Asks before an invitation of an address is revoked. */
export const revokeEmailPage: AdminPageSpec<AskedData> = {
  load: (request) => loadAsked(request, "email"),
  actions: { revoke: { run: (request) => revokeOne(request, "email") } },
};

/** Asks before a reusable link is revoked. */
export const revokeReusablePage: AdminPageSpec<AskedData> = {
  load: (request) => loadAsked(request, "link"),
  actions: { revoke: { run: (request) => revokeOne(request, "link") } },
};

/** Asks before an invitation is sent again. */
export const resendPage: AdminPageSpec<AskedData> = {
  load: (request) => loadAsked(request, "email"),
  actions: { resend: { run: resend } },
};

/** Asks before several invitations are revoked: those that the query names. */
export const revokeManyPage: AdminPageSpec<AskedManyData> = {
  load: loadMany,
  actions: { revoke: { run: revokeMany } },
};

/** The text that names an invitation in a query and a form. */
function invitationKey({ kind, id }: AskedInvitation): string {
  return `${kind}-${id}`;
}

async function loadAsked(request: AdminRequest, kind: "email" | "link"): Promise<AskedData | null> {
  const open = await readInvitation(request, { kind, id: pathId(request) });
  return open === null ? null : { invitation: toAsked(open) };
}

async function loadMany(request: AdminRequest): Promise<AskedManyData> {
  return { invitations: await readChosen(request, request.query.getAll("chosen")) };
}

/** Those of the named invitations that are still open, and that the caller may revoke. */
async function readChosen(
  request: AdminRequest,
  keys: readonly string[],
): Promise<readonly AskedInvitation[]> {
  const wanted = new Set(keys);
  const all = await readOpenInvitations(request.chat, request.caller);
  return all.filter(({ offer }) => mayManage(request.user, offer)).map(toAsked).filter((asked) =>
    wanted.has(invitationKey(asked))
  );
}

function toAsked(open: OpenInvitation): AskedInvitation {
  return { kind: open.kind, id: idOf(open), email: open.kind === "email" ? open.invite.email : "" };
}

async function revoke({ chat, caller }: AdminRequest, { kind, id }: AskedInvitation): Promise<void> {
  if (kind === "email") await revokeInvite(chat, caller, id);
  else await revokeLink(chat, caller, id);
}

async function revokeOne(request: AdminRequest, kind: "email" | "link"): Promise<Done> {
  const id = pathId(request);
  const asked = (await loadAsked(request, kind))?.invitation ?? { kind, id, email: "" };
  await revoke(request, asked);
  return {
    said: request.speech.say(request.words.invitations.revoked, { name: nameOf(request, asked) }),
    to: LIST,
  };
}

async function revokeMany(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { speech, words: { invitations: text } } = request;
  const keys = new Set(fields.all("chosen"));
  let count = 0;
  for (const asked of await readChosen(request, [...keys])) {
    try {
      await revoke(request, asked);
      count++;
    } catch (error) {
      // It was used or revoked meanwhile, or its role raised: the others are revoked all the same.
      if (!(error instanceof AppError) || !/^(BAD_REQUEST|UNAUTHORIZED_PRINCIPAL)$/.test(error.code)) {
        throw error;
      }
    }
  }
  if (keys.size === 0) throw new FormRefusal({ form: text.nothingChosen });
  const said = speech.say(text.revokedMany, { count });
  const left = keys.size - count;
  if (left === 0) return { said, to: LIST };
  return {
    said: speech.say(text.revokedPartly, { said, left: speech.say(text.leftOver, { count: left }) }),
    to: LIST,
  };
}

async function resend(request: AdminRequest): Promise<Done> {
  const { chat, caller, speech, words: { invitations: text } } = request;
  const email = (await loadAsked(request, "email"))?.invitation.email ?? "";
  await resendInvite(chat, caller, pathId(request));
  return { said: speech.say(text.resent, { email }), to: LIST };
}

function nameOf({ speech, words: { invitations: text } }: AdminRequest, asked: AskedInvitation): string {
  return asked.kind === "link"
    ? speech.say(text.linkName, { id: String(asked.id) })
    : speech.say(text.emailName, { email: asked.email });
}
