import { checkAddresses, MAX_INVITEES, parseEmailList } from "@/lib/chat/invites/create_invites.ts";
import { getLinkJoining, type LinkJoining } from "@/lib/chat/organizations/model.ts";
import { isAdmin } from "@/lib/chat/users/model.ts";
import { getMailFolder } from "@/lib/mail/transport.ts";
import type { CheckedAddress } from "@/lib/ui/checked_address.ts";
import { type Done, FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { type InvitationChoices, readInvitationChoices } from "./invitation_choices.ts";
import { lifetimesOf, MAX_INVITATION_WELCOME, readOffer } from "./invitation_form.ts";
import { type InvitationList, listInvitations } from "./invitation_list.ts";
import { sendInvitations } from "./invitation_sending.ts";

/** Data of the invitations page. */
export interface InvitationsData {
  readonly kind: "email" | "link";
  readonly choices: InvitationChoices;
  readonly lifetimes: { readonly presets: readonly number[]; readonly usual: number };
  readonly list: InvitationList;
  /** Whether the form for new invitations is open: it was asked for, or nothing is listed. */
  readonly isFormOpen: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** Whether the server delivers email. */
  readonly hasMail: boolean;
  /** Folder that email is written to instead; null without one. */
  readonly mailFolder: string | null;
  /** Way in which people join by a reusable link. */
  readonly linkJoining: LinkJoining;
  readonly maxWelcome: number;
}

/** Maximum number of addresses whose problems are listed in one sentence. */
const MAX_SHOWN_PROBLEMS = 5;

/** Loads the invitations page. */
export async function loadInvitations(request: AdminRequest): Promise<InvitationsData> {
  const { chat, services, query, realm, user } = request;
  const choices = await readInvitationChoices(request);
  const list = await listInvitations(request, choices.channelNames);
  return {
    list,
    isFormOpen: query.has("kind") || list.found === 0 && list.query.find === "" && !list.query.isSoon,
    kind: (query.get("kind") ?? (choices.mayEmail || !choices.mayLink ? "email" : "link")) === "link"
      ? "link"
      : "email",
    choices,
    lifetimes: lifetimesOf(request),
    now: chat.clock.now(),
    hasMail: chat.config.isMailDelivered,
    mailFolder: isAdmin(user) ? getMailFolder(services.config) : null,
    linkJoining: getLinkJoining(chat, realm),
    maxWelcome: MAX_INVITATION_WELCOME,
  };
}

/** Invites the valid addresses and keeps the others in the field. */
export async function invite(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, formatter, messages: { invitations: text } } = request;
  const offer = readOffer(request, fields);
  const addresses = await readAddresses(request, fields);
  if (addresses.length === 0) throw new FormRefusal({ emails: text.noAddress });
  const fit = addresses.filter(({ problem }) => problem === null);
  const late = fit.length === 0 ? [] : await sendInvitations(request, offer, fit);
  const left = [...addresses.filter(({ problem }) => problem !== null), ...late];
  const count = fit.length - late.length;
  if (count === 0) throw new FormRefusal({ emails: nobodyInvited(request, left) });
  if (left.length > 0) return { flash: "", isDraft: true, result: { addresses: left, count } };
  const flash = formatter.t(chat.config.isMailDelivered ? text.invited : text.invitedUnsent, { count });
  return { flash, to: "/admin/invitations" };
}

/** Reads the distinct addresses of the field as the domain parses them. */
export async function readAddresses(
  { chat, realm }: AdminRequest,
  fields: FormFields,
): Promise<readonly CheckedAddress[]> {
  const invitees = parseEmailList(fields.exact("emails"));
  const { invalid: refused, taken } = await checkAddresses(chat, realm, invitees);
  const problems = new Map([...refused, ...taken].map(([email, problem]) => [email, problem]));
  return invitees.slice(0, MAX_INVITEES).map(({ email, name }) => ({
    email,
    name,
    problem: problems.get(email) ?? null,
  }));
}

function nobodyInvited(
  { formatter, messages: { invitations: text } }: AdminRequest,
  left: readonly CheckedAddress[],
): string {
  const shown = left.slice(0, MAX_SHOWN_PROBLEMS).map(({ email, problem }) =>
    formatter.t(text.addressProblem, { email, problem: problem ?? "" })
  );
  const more = left.length - shown.length;
  const problems = more === 0 ? shown : [...shown, formatter.t(text.moreProblems, { count: more })];
  return formatter.t(text.nobodyInvited, { problems: problems.join(" ") });
}
