import { FAILED } from "@/lib/ui/texts.ts";
import { partition } from "es-toolkit/array/partition";
import { z } from "zod";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { formState, useDraft, useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { PILL_MESSAGES } from "@/components/admin/invitations/AddressPills.tsx";
import EmailPills from "@/islands/admin/invitations/EmailPills.tsx";
import {
  checkAddresses,
  createInvites,
  MAX_INVITEES,
  parseEmailList,
} from "@/lib/chat/joining/invites/create_invites.ts";
import { createInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";
import { revokeInvite } from "@/lib/chat/joining/invites/invite_mails.ts";
import { type OfferRequest, parseInviteToken } from "@/lib/chat/joining/invites/model.ts";
import { foldEmail } from "@/lib/chat/organization/users/model.ts";
import { AppError, isRefusal } from "@/lib/core/errors.ts";
import { type CheckedAddress, toCheckedAddresses, toListed } from "@/lib/ui/checked_address.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { type Field, type FieldProps, Form, form } from "@/lib/admin/declare/form.tsx";
import { translate } from "@/lib/ui/translate.ts";
import { INVITATIONS, listInvitations } from "./invitation_list.tsx";
import {
  NEW_OFFER,
  OfferFields,
  offerFields,
  type OfferFieldsProps,
  type readOfferOptions,
  toOfferRequest,
} from "./offer_fields.tsx";

const texts = {
  invited: { one: "{count} person invited.", other: "{count} people invited." },
  invitedUnsent: {
    one: "{count} person invited. No email was sent: copy the link below and pass it on.",
    other: "{count} people invited. No email was sent: copy their links below and pass them on.",
  },
  limit:
    "This is more than the organization can invite in one day, so no invitations were sent. Try again tomorrow, or use a reusable link.",
};

/** The distinct addresses of the field, as the domain parses them. */
const emails: Field<readonly CheckedAddress[]> = {
  read: async (submitted, name, { chat, realm }) => {
    const invitees = parseEmailList(submitted.exact(name));
    const { invalid, taken } = await checkAddresses(chat, realm, invitees);
    const problems = new Map([...invalid, ...taken].map(([email, problem]) => [email, problem]));
    return invitees.slice(0, MAX_INVITEES)
      .map(({ email, name }) => ({ email, name, problem: problems.get(email) ?? null }));
  },
  View: AddressBox,
};

const preview = form({
  action: "preview",
  fields: { emails },
  run: (_, { emails: addresses }) => Promise.resolve({ flash: "", isDraft: true, result: { addresses } }),
});

/** Invites the valid addresses and keeps the others in the field. */
const invite = form({
  action: "invite",
  fields: { emails, ...offerFields },
  run: async (request, { emails: addresses, ...offer }) => {
    const { chat, t } = request;
    if (addresses.length === 0) throw new FormRefusal({ emails: t("Enter at least one address.") });
    const [fit, unfit] = partition(addresses, ({ problem }) => problem === null);
    const late = fit.length === 0 ? [] : await replaceInvitations(request, toOfferRequest(offer), fit);
    const left = [...unfit, ...late];
    const count = fit.length - late.length;
    if (count === 0) {
      throw new FormRefusal({ emails: t("No invitations were sent.") }, {}, { addresses: left });
    }
    const flash = t(chat.config.isMailDelivered ? texts.invited : texts.invitedUnsent, { count });
    if (left.length === 0) return { flash, to: INVITATIONS };
    const draft = (
      <p role="alert" tabIndex={-1} autofocus class="rounded-control bg-wash px-4 py-2.5">
        <span class="font-medium text-good">{flash}</span>{" "}
        {t("Addresses that could not be invited are still in the box, with the reason.")}
      </p>
    );
    return { flash: "", draft, result: { addresses: left } };
  },
});

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
  const sent = { ...offer, invitee_emails: invitees.map(toListed).join("\n") };
  const late = await createInvites(chat, caller, sent).then(() => [], (error) => readRefused(request, error));
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
  daily_limit_reached: z.boolean(),
});

/** Returns the addresses that a failure refuses; throws it where it refuses all. */
function readRefused({ t }: AdminRequest, error: unknown): readonly CheckedAddress[] {
  const isFailure = error instanceof AppError && error.code === "INVITATION_FAILED";
  const failure = isFailure ? failureSchema.safeParse(error.details.extra).data : undefined;
  if (failure?.daily_limit_reached === true) throw new FormRefusal({ form: t(texts.limit) });
  if (failure === undefined || failure.errors.length === 0) throw error;
  // When no one was invited, every address was refused.
  return failure.errors.map(([email, problem]) => ({ email, name: "", problem }));
}

const createLink = form({
  action: "create_link",
  button: "Create link",
  fields: offerFields,
  run: async ({ chat, caller, t }, offer) => {
    const url = await createInviteLink(chat, caller, toOfferRequest(offer));
    const id = parseInviteToken(url.slice(url.lastIndexOf("/") + 1))?.id;
    return { flash: t("Link created. You can share it now."), to: `${INVITATIONS}/link/${id ?? ""}` };
  },
});

export const inviteForms = [preview, invite, createLink];

interface InviteFormProps {
  readonly options: Awaited<ReturnType<typeof readOfferOptions>>;
  readonly expiry: OfferFieldsProps["expiry"];
}

export function LinkForm({ options, expiry }: InviteFormProps) {
  const state = useFormState(createLink);
  return (
    <Form of={createLink} stored={NEW_OFFER} options={options}>
      {(fields) => <OfferFields fields={fields} state={state} kind="link" expiry={expiry} />}
    </Form>
  );
}

export function InviteForm({ options, expiry }: InviteFormProps) {
  const { t } = useAdmin();
  const refused = useRefusedForm();
  // The result of a preview belongs to this form, too.
  const isPreview = refused?.action === preview.action;
  const state = formState(isPreview ? { ...refused, action: invite.action } : refused, invite.action);
  const count = useChecked().filter(({ problem }) => problem === null).length;
  const { emails, ...fields } = invite.renderFields(state, NEW_OFFER, options);
  return (
    <>
      {useDraft(invite)}
      <AdminForm
        state={state}
        button={t(count > 0 ? PILL_MESSAGES.invite : PILL_MESSAGES.inviteNobody, { count })}
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
        {emails}
        <OfferFields fields={fields} state={state} kind="email" expiry={expiry} />
      </AdminForm>
    </>
  );
}

/** Returns the addresses that the form has checked. */
function useChecked(): readonly CheckedAddress[] {
  return toCheckedAddresses(useRefusedForm()?.result?.["addresses"]);
}

function AddressBox({ name, state }: FieldProps<readonly CheckedAddress[]>) {
  const { t, formatter: { language } } = useAdmin();
  const problem = state.problem(name);
  const checked = useChecked();
  const ready = checked.filter((address) => address.problem === null);
  // Once some are invited, only the others are left.
  const isLeft = useDraft(invite) !== null;
  return (
    <div class="grid gap-y-1.5">
      <label for="emails" class={FIELD_LABEL}>{t("Email addresses")}</label>
      {problem !== undefined && (
        <p id="emails-problem" role="alert" class={`${FIELD_PROBLEM} break-words`}>{problem}</p>
      )}
      <EmailPills
        text={isLeft ? checked.map(toListed).join("\n") : state.value(name)}
        first={checked}
        language={language}
        isRefused={problem !== undefined}
        messages={{ ...translate(language, PILL_MESSAGES), failed: t(FAILED) }}
      />
      {/* Browsers without JavaScript show no pills. */}
      {ready.length > 0 && (
        <ul
          aria-label={t("Ready to send")}
          class="flex max-h-40 flex-wrap gap-1.5 overflow-y-auto text-small [@media(scripting:enabled)]:hidden"
        >
          {ready.map((address) => (
            <li
              key={address.email}
              class="max-w-full rounded-small bg-wash px-2 py-0.5 break-all forced-colors:border"
            >
              {address.name !== "" && <bdi class="text-soft">{address.name}</bdi>} <bdi>{address.email}</bdi>
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
