import { z } from "zod";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { type FormState, formState, useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { Link } from "@/components/Link.tsx";
import EmailPills from "@/islands/admin/invitations/EmailPills.tsx";
import {
  checkAddresses,
  createInvites,
  type InvitesRequest,
  MAX_INVITEES,
  parseEmailList,
} from "@/lib/chat/joining/invites/create_invites.ts";
import { createInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";
import { revokeInvite } from "@/lib/chat/joining/invites/invite_mails.ts";
import { type OfferRequest, parseInviteToken } from "@/lib/chat/joining/invites/model.ts";
import { readActiveInvites } from "@/lib/chat/joining/invites/store.ts";
import { getLinkJoining, type LinkJoining } from "@/lib/chat/organization/organizations/model.ts";
import { foldEmail, isAdmin } from "@/lib/chat/organization/users/model.ts";
import { AppError, isRefusal } from "@/lib/core/errors.ts";
import { getMailFolder } from "@/lib/mail/transport.ts";
import { type CheckedAddress, toCheckedAddresses, toListed } from "@/lib/ui/checked_address.ts";
import {
  FIELD_HINT,
  FIELD_LABEL,
  FIELD_PROBLEM,
  PRIMARY_BUTTON,
  QUIET_BUTTON,
  TAB,
} from "@/lib/ui/class_names.ts";
import { type Done, FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { INVITES } from "@/lib/admin/events/shown_events.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { exportInvitations, InvitationTable, loadInvitationList, mayManage } from "./invitation_list.tsx";
import { InvitationFields, lifetimesOf, readInvitationChoices, readOffer } from "./offer_fields.tsx";

/** Maximum number of addresses whose problems are listed in one sentence. */
const MAX_SHOWN_PROBLEMS = 5;

type InvitationsData = Awaited<ReturnType<typeof loadInvitations>>;

async function loadInvitations(request: AdminRequest) {
  const { chat, services, query, realm, user } = request;
  const choices = await readInvitationChoices(request);
  const usual = choices.mayEmail || !choices.mayLink ? "email" : "link";
  const list = await loadInvitationList(request, choices.channelNames);
  return {
    list,
    isFormOpen: query.has("kind") || list.isEmpty,
    kind: (query.get("kind") ?? usual) === "link" ? "link" as const : "email" as const,
    choices,
    lifetimes: lifetimesOf(request),
    now: chat.clock.now(),
    hasMail: chat.config.isMailDelivered,
    /** Folder that email is written to instead; null without one. */
    mailFolder: isAdmin(user) ? getMailFolder(services.config) : null,
    linkJoining: getLinkJoining(chat, realm),
  };
}

const preview = form({
  action: "preview",
  run: async (request, _, submitted) => ({
    flash: "",
    isDraft: true,
    result: { addresses: await readAddresses(request, submitted) },
  }),
});

const createLink = form({
  action: "create_link",
  run: async (request, _, submitted) => {
    const { chat, caller } = request;
    const url = await createInviteLink(chat, caller, readOffer(request, submitted));
    const id = parseInviteToken(url.slice(url.lastIndexOf("/") + 1))?.id;
    const to = `/admin/invitations/link/${id ?? ""}`;
    return { flash: request.t("Link created. You can share it now."), to, result: { url } };
  },
});

const exportList = form({
  action: "export",
  run: async (request) =>
    await exportInvitations(request, (await readInvitationChoices(request)).channelNames),
});

/** Invites the valid addresses and keeps the others in the field. */
const invite = form({
  action: "invite",
  run: async (request, _, submitted): Promise<Done> => {
    const { chat, formatter, messages: { invitations: text } } = request;
    const offer = readOffer(request, submitted);
    const addresses = await readAddresses(request, submitted);
    if (addresses.length === 0) throw new FormRefusal({ emails: request.t("Enter at least one address.") });
    const fit = addresses.filter(({ problem }) => problem === null);
    const late = fit.length === 0 ? [] : await replaceInvitations(request, offer, fit);
    const left = [...addresses.filter(({ problem }) => problem !== null), ...late];
    const count = fit.length - late.length;
    if (count === 0) throw new FormRefusal({ emails: nobodyInvited(request, left) });
    if (left.length > 0) return { flash: "", isDraft: true, result: { addresses: left, count } };
    const flash = formatter.t(chat.config.isMailDelivered ? text.invited : text.invitedUnsent, { count });
    return { flash, to: invitationsPage.path };
  },
});

/** Reads the distinct addresses of the field as the domain parses them. */
async function readAddresses(
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
  { t, formatter, messages: { invitations: text } }: AdminRequest,
  left: readonly CheckedAddress[],
): string {
  const shown = left.slice(0, MAX_SHOWN_PROBLEMS).map(({ email, problem }) =>
    formatter.t(text.pills.addressProblem, { email, problem: problem ?? "" })
  );
  const more = left.length - shown.length;
  const problems = more === 0 ? shown : [...shown, formatter.t(text.pills.moreProblems, { count: more })];
  return t("No invitations were sent. {problems}", { problems: problems.join(" ") });
}

/**
 * Sends invitations, which replace pending ones of the same addresses, and returns the addresses that received an
 * account meanwhile.
 * @throws FormRefusal when the daily limit is reached, AppError for an offer that is not allowed.
 */
async function replaceInvitations(
  request: AdminRequest,
  offer: OfferRequest,
  invitees: readonly CheckedAddress[],
): Promise<readonly CheckedAddress[]> {
  const { chat, caller, user } = request;
  const invited = new Set(invitees.map(({ email }) => foldEmail(email)));
  const earlier = (await readActiveInvites(chat, caller)).flatMap((open) =>
    open.kind === "email" && invited.has(foldEmail(open.invite.email)) && mayManage(user, open.offer)
      ? [open.invite]
      : []
  );
  const late = await send(request, { ...offer, invitee_emails: invitees.map(toListed).join("\n") });
  const refused = new Set(late.map(({ email }) => foldEmail(email)));
  for (const { id, email } of earlier) {
    if (refused.has(foldEmail(email))) continue;
    try {
      await revokeInvite(chat, caller, id);
    } catch (error) {
      // It was used or revoked meanwhile.
      if (!isRefusal(error)) throw error;
    }
  }
  return late;
}

const failureSchema = z.object({
  errors: z.array(z.tuple([z.string(), z.string(), z.boolean()])),
  sent_invitations: z.boolean(),
  daily_limit_reached: z.boolean(),
});

async function send(
  { chat, caller, messages }: AdminRequest,
  sent: InvitesRequest,
): Promise<readonly CheckedAddress[]> {
  try {
    await createInvites(chat, caller, sent);
    return [];
  } catch (error) {
    const isFailure = error instanceof AppError && error.code === "INVITATION_FAILED";
    const failure = isFailure ? failureSchema.safeParse(error.details.extra).data : undefined;
    if (failure?.daily_limit_reached === true) {
      throw new FormRefusal({ form: messages.invitations.dailyLimit });
    }
    if (failure === undefined || failure.errors.length === 0) throw error;
    // When no one was invited, every address was refused.
    return failure.errors.map(([email, problem]) => ({ email, name: "", problem }));
  }
}

/** The invitations page: invite by email, create a link, list open invitations. */
export const invitationsPage = adminPage({
  path: "/admin/invitations",
  load: loadInvitations,
  title: "Invitations",
  find: { words: "join link" },
  lede: ({ linkJoining }, _, { invitations }) => (
    <>
      {invitations.lede} <JoiningRule rule={linkJoining} />
    </>
  ),
  actions: () => (
    <form method="post">
      <input type="hidden" name="action" value="export" />
      <button type="submit" class={QUIET_BUTTON}>{useAdmin().t("Export CSV")}</button>
    </form>
  ),
  shows: INVITES,
  forms: [preview, invite, createLink, exportList],
  view: ({ data }) => {
    const { t, messages: { invitations: text } } = useAdmin();
    const { list, now, hasMail } = data;
    return (
      <>
        <details open={data.isFormOpen || useRefusedForm() !== null} class="group mb-9">
          <summary
            class={`${PRIMARY_BUTTON} w-fit list-none group-open:hidden [&::-webkit-details-marker]:hidden`}
          >
            {t("Invite people")}
          </summary>
          <Panel title={t("Invite people")}>
            <Tabs data={data} />
            {data.kind === "email" && !hasMail && <NoMail folder={data.mailFolder} />}
            {data.kind === "email"
              ? data.choices.mayEmail ? <InviteForm data={data} /> : <p>{text.mayNotEmail}</p>
              : data.choices.mayLink
              ? <LinkForm data={data} />
              : <p>{text.mayNotLink}</p>}
          </Panel>
        </details>
        <h2 class="mb-3">{t("Pending invitations")}</h2>
        <InvitationTable {...list} now={now} hasMail={hasMail} />
      </>
    );
  },
});

/** Renders how people join by a reusable link now, with a link to the setting. */
export function JoiningRule({ rule }: { rule: LinkJoining }) {
  const { t, messages: { invitations: text }, opens } = useAdmin();
  const path = "/admin/organization";
  return (
    <>
      {text.linkJoining[rule]}{" "}
      {opens(path) && <Link class="link" href={`${path}#joining`}>{t("Change this")}</Link>}
    </>
  );
}

function NoMail({ folder }: { folder: string | null }) {
  const { t, messages: { invitations: text } } = useAdmin();
  return (
    <p class="rounded-control bg-wash px-4 py-2.5 break-words">
      {folder === null
        ? t("This server sends no email.")
        : t("This server sends no email; it is written to files in {folder}.", { folder })}{" "}
      {text.noMailAdvice}{" "}
      <Link class="link font-medium" href="?kind=link">{t("Create a reusable link")}</Link>
    </p>
  );
}

function Tabs({ data: { kind, choices } }: { data: InvitationsData }) {
  const { t } = useAdmin();
  return (
    <nav aria-label={t("How to invite")} class="border-b border-rule">
      <ul class="flex flex-wrap gap-x-6">
        {[...choices.mayEmail ? ["email"] : [], ...choices.mayLink ? ["link"] : []].map((tab) => (
          <li key={tab}>
            <Link
              href={`/admin/invitations?kind=${tab}`}
              aria-current={tab === kind ? "page" : undefined}
              class={TAB}
            >
              {tab === "email" ? t("By email") : t("Reusable link")}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Renders the form that invites email addresses. */
function InviteForm({ data }: { data: InvitationsData }) {
  const { t, messages: { invitations: text }, formatter } = useAdmin();
  const refused = useRefusedForm();
  // The result of a preview belongs to this form, too.
  const mine = refused?.action === "preview" ? { ...refused, action: "invite" } : refused;
  const state = formState(mine, "invite");
  const result = mine?.action === "invite" ? mine.result : undefined;
  const checked = toCheckedAddresses(result?.["addresses"]);
  const sent = Number(result?.["count"] ?? 0);
  const ready = checked.filter(({ problem }) => problem === null).length;
  return (
    <>
      {sent > 0 && (
        <p role="alert" tabIndex={-1} autofocus class="rounded-control bg-wash px-4 py-2.5">
          <span class="font-medium text-good">
            {formatter.t(data.hasMail ? text.invited : text.invitedUnsent, { count: sent })}
          </span>{" "}
          {text.partlyKept}
        </p>
      )}
      <AdminForm
        state={state}
        button={ready > 0 ? formatter.t(text.pills.invite, { count: ready }) : text.pills.inviteNobody}
        beside={
          <button
            type="submit"
            name="action"
            value="preview"
            class={`${QUIET_BUTTON} [@media(scripting:enabled)]:hidden`}
          >
            {t("Check addresses")}
          </button>
        }
      >
        <AddressBox
          state={state}
          typed={sent > 0 ? checked.map(toListed).join("\n") : state.value("emails")}
          checked={checked}
        />
        <InvitationFields state={state} data={data} />
      </AdminForm>
    </>
  );
}

interface AddressBoxProps {
  readonly state: FormState;
  readonly typed: string;
  readonly checked: ReturnType<typeof toCheckedAddresses>;
}

function AddressBox({ state, typed, checked }: AddressBoxProps) {
  const { t, messages: { invitations: text, common }, formatter } = useAdmin();
  const problem = state.problem("emails");
  const ready = checked.filter((address) => address.problem === null);
  return (
    <div class="grid gap-y-1.5">
      <label for="emails" class={FIELD_LABEL}>{t("Email addresses")}</label>
      {problem !== undefined && (
        <p id="emails-problem" role="alert" class={`${FIELD_PROBLEM} break-words`}>{problem}</p>
      )}
      <EmailPills
        text={typed}
        first={checked}
        language={formatter.language}
        isRefused={problem !== undefined}
        messages={{ ...text.pills, failed: common.failed }}
      />
      {/* Browsers without JavaScript show no pills. */}
      {ready.length > 0 && (
        <ul
          aria-label={t("Ready to send")}
          class="flex max-h-40 flex-wrap gap-1.5 overflow-y-auto text-small [@media(scripting:enabled)]:hidden"
        >
          {ready.map(({ email, name }) => (
            <li key={email} class="max-w-full rounded-small bg-wash px-2 py-0.5 break-all">
              {name !== "" && <bdi class="text-soft">{name}</bdi>} <bdi>{email}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p id="emails-hint" class={FIELD_HINT}>{text.emailsHint}</p>
    </div>
  );
}

/** Renders the form that creates a reusable link. */
function LinkForm({ data }: { data: InvitationsData }) {
  const { t } = useAdmin();
  const state = useFormState(createLink);
  return (
    <AdminForm state={state} button={t("Create link")}>
      <InvitationFields state={state} data={data} />
    </AdminForm>
  );
}
