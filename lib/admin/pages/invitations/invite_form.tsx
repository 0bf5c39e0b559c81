import { z } from "zod";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { type FormState, formState, useRefusedForm } from "@/components/admin/form_state.ts";
import EmailPills from "@/islands/admin/invitations/EmailPills.tsx";
import {
  checkAddresses,
  createInvites,
  type InvitesRequest,
  MAX_INVITEES,
  parseEmailList,
} from "@/lib/chat/joining/invites/create_invites.ts";
import { revokeInvite } from "@/lib/chat/joining/invites/invite_mails.ts";
import { type OfferRequest } from "@/lib/chat/joining/invites/model.ts";
import { foldEmail } from "@/lib/chat/organization/users/model.ts";
import { AppError, isRefusal } from "@/lib/core/errors.ts";
import { type CheckedAddress, toCheckedAddresses, toListed } from "@/lib/ui/checked_address.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { type Done, FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { INVITATIONS, listInvitations } from "./invitation_list.tsx";
import { InvitationFields, type OfferData, readOffer } from "./offer_fields.tsx";

/** Maximum number of addresses whose problems are listed in one sentence. */
const MAX_SHOWN_PROBLEMS = 5;

const texts = {
  invited: { one: "{count} person invited.", other: "{count} people invited." },
  invitedUnsent: {
    one: "{count} person invited. No email was sent: copy the link below and pass it on.",
    other: "{count} people invited. No email was sent: copy their links below and pass them on.",
  },
  /** Texts of the address field. */
  pills: {
    addressProblem: "{email}: {problem}",
    moreProblems: {
      one: "{count} more address cannot be invited.",
      other: "{count} more addresses cannot be invited.",
    },
    othersReady: { one: "{count} other address is ready.", other: "{count} other addresses are ready." },
    ready: { one: "{count} address is ready.", other: "{count} addresses are ready." },
    noneReady: "None of these addresses can be invited.",
    emailsPlaceholder: "Enter or paste addresses",
    removeAddress: "Remove {email}",
    moreAddresses: { one: "and {count} more", other: "and {count} more" },
    invite: { one: "Invite {count} person", other: "Invite {count} people" },
    inviteNobody: "Invite",
    chooseFile: "Choose a file",
    dropHint: "You can also drop a text or CSV file into the box.",
    fileUnread: "The file could not be read. Choose a text file of up to 1 MB.",
  },
};

const preview = form({
  action: "preview",
  run: async (request, _, submitted) => ({
    flash: "",
    isDraft: true,
    result: { addresses: await readAddresses(request, submitted) },
  }),
});

/** Invites the valid addresses and keeps the others in the field. */
const invite = form({
  action: "invite",
  run: async (request, _, submitted): Promise<Done> => {
    const { chat, t } = request;
    const offer = readOffer(request, submitted);
    const addresses = await readAddresses(request, submitted);
    if (addresses.length === 0) throw new FormRefusal({ emails: t("Enter at least one address.") });
    const fit = addresses.filter(({ problem }) => problem === null);
    const late = fit.length === 0 ? [] : await replaceInvitations(request, offer, fit);
    const left = [...addresses.filter(({ problem }) => problem !== null), ...late];
    const count = fit.length - late.length;
    if (count === 0) throw new FormRefusal({ emails: nobodyInvited(request, left) });
    if (left.length > 0) return { flash: "", isDraft: true, result: { addresses: left, count } };
    const flash = t(chat.config.isMailDelivered ? texts.invited : texts.invitedUnsent, { count });
    return { flash, to: INVITATIONS };
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

function nobodyInvited({ t }: AdminRequest, left: readonly CheckedAddress[]): string {
  const shown = left.slice(0, MAX_SHOWN_PROBLEMS).map(({ email, problem }) =>
    t(texts.pills.addressProblem, { email, problem: problem ?? "" })
  );
  const count = left.length - shown.length;
  const problems = count === 0 ? shown : [...shown, t(texts.pills.moreProblems, { count })];
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
  const { chat, caller } = request;
  const invited = new Set(invitees.map(({ email }) => foldEmail(email)));
  const earlier = (await listInvitations(request)).filter(({ email, isManageable }) =>
    isManageable && invited.has(foldEmail(email))
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
  { chat, caller, t }: AdminRequest,
  sent: InvitesRequest,
): Promise<readonly CheckedAddress[]> {
  try {
    await createInvites(chat, caller, sent);
    return [];
  } catch (error) {
    const isFailure = error instanceof AppError && error.code === "INVITATION_FAILED";
    const failure = isFailure ? failureSchema.safeParse(error.details.extra).data : undefined;
    if (failure?.daily_limit_reached === true) {
      throw new FormRefusal({
        form: t(
          "This is more than the organization can invite in one day, so no invitations were sent. Try again tomorrow, or use a reusable link.",
        ),
      });
    }
    if (failure === undefined || failure.errors.length === 0) throw error;
    // When no one was invited, every address was refused.
    return failure.errors.map(([email, problem]) => ({ email, name: "", problem }));
  }
}

export const inviteForms = [preview, invite];

export function InviteForm({ data }: { data: OfferData & { readonly hasMail: boolean } }) {
  const { t } = useAdmin();
  const refused = useRefusedForm();
  // The result of a preview belongs to this form, too.
  const mine = refused?.action === preview.action ? { ...refused, action: invite.action } : refused;
  const state = formState(mine, invite.action);
  const result = mine?.result;
  const checked = toCheckedAddresses(result?.["addresses"]);
  const sent = Number(result?.["count"] ?? 0);
  const ready = checked.filter(({ problem }) => problem === null).length;
  return (
    <>
      {sent > 0 && (
        <p role="alert" tabIndex={-1} autofocus class="rounded-control bg-wash px-4 py-2.5">
          <span class="font-medium text-good">
            {t(data.hasMail ? texts.invited : texts.invitedUnsent, { count: sent })}
          </span>{" "}
          {t("Addresses that could not be invited are still in the box, with the reason.")}
        </p>
      )}
      <AdminForm
        state={state}
        button={t(ready > 0 ? texts.pills.invite : texts.pills.inviteNobody, { count: ready })}
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
  const { text, t, messages: { common }, formatter } = useTexts(texts);
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
            <li
              key={email}
              class="max-w-full rounded-small bg-wash px-2 py-0.5 break-all forced-colors:border"
            >
              {name !== "" && <bdi class="text-soft">{name}</bdi>} <bdi>{email}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p id="emails-hint" class={FIELD_HINT}>
        {t(
          "Separate addresses with commas or new lines. Names are allowed, as in Noor Lake <noor@example.com>.",
        )}
      </p>
    </div>
  );
}
