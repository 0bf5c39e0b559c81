import { ROLE_TITLES } from "@/lib/ui/texts.ts";
import { SelectField, TextInput } from "@/components/admin/fields.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { PeopleField } from "@/components/admin/people/PeopleField.tsx";
import { isBot, isOwner, ROLE, ROLES, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { updateBot } from "@/lib/chat/people/bots/manage_bots.ts";
import { updateUser } from "@/lib/chat/people/users/update_user.ts";
import { toPersonLine } from "@/lib/ui/permission_fields.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { rendered, text } from "@/lib/admin/declare/fields.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { findPeople, readPeopleInput } from "@/lib/admin/people/find_people.ts";
import { REVISION_FIELD, revisionOf } from "@/lib/admin/revision.ts";
import { addressFor } from "@/lib/admin/shown_people.ts";
import { getNamed, type UserData } from "./user_data.ts";

/** Returns the properties of an account whose concurrent changes must be detected. */
function revised({ full_name, delivery_email, role, bot_owner_id, outgoing_webhook }: UserRecord) {
  return [full_name, delivery_email, role, bot_owner_id, outgoing_webhook?.payload_url];
}

export const saveAccount = form({
  action: "save",
  button: "Save",
  fields: {
    full_name: text({ label: "Full name", isExact: true, keepsBlanks: true }),
    // Empty for an address that is hidden from the administrator, and for a bot.
    email: rendered((submitted, name) => submitted.exact(name).trim() || undefined),
    role: rendered((submitted, name) => ROLES.find((known) => known === submitted.int(name))),
    owner: rendered(readPeopleInput),
    payload_url: text({ label: "Address to post messages to", type: "url", isExact: true }),
  },
  parameters: { bot_owner_id: "owner" },
  revision: async (request) => revised(await getNamed(request)),
  run: async (request, { full_name, role, email, owner, payload_url }) => {
    const { chat, caller, t } = request;
    const stored = await getNamed(request);
    const { id } = stored;
    if (isBot(stored)) {
      const bot_owner_id = await findOwner(request, owner, stored);
      const changes = { full_name, role, bot_owner_id, service_payload_url: payload_url || undefined };
      await updateBot(chat, caller, { id, changes });
    } else {
      const changes = { full_name, role, new_email: email };
      await updateUser(chat, caller, { name: String(id), changes });
    }
    return { flash: t("{name} saved.", { name: full_name.trim() }) };
  },
});

/** Returns the id of a new owner; undefined for the current one, who may be deactivated. */
async function findOwner(
  request: AdminRequest,
  input: ReturnType<typeof readPeopleInput>,
  { bot_owner_id }: UserRecord,
): Promise<number | undefined> {
  const { chat, realm, t } = request;
  const owner = await readUser(chat, realm.id, bot_owner_id ?? 0);
  const text = input.text.trim();
  if (text === "" || owner !== null && text === toPersonLine(owner)) return undefined;
  const [found, ...others] = await findPeople(request, input, "owner");
  if (found === undefined || others.length > 0) throw new FormRefusal({ owner: t("Enter one user.") });
  return found.id;
}

/** Renders the form for the name, address and role of an account; for a bot also its owner and address to post to. */
export function AccountForm({ data: { user, owner, isLastOwner } }: { data: UserData }) {
  const { t, user: viewer } = useTexts(null);
  const state = useFormState(saveAccount);
  const address = addressFor(viewer, user);
  const url = user.outgoing_webhook?.payload_url ?? null;
  return (
    <Panel title={t("Details")}>
      <Form
        of={saveAccount}
        stored={{ full_name: user.full_name, payload_url: url ?? "" }}
        hidden={{ [REVISION_FIELD]: revisionOf(revised(user)) }}
      >
        {({ full_name, payload_url }) => (
          <div class="grid max-w-[28rem] gap-4">
            {full_name}
            <TextInput
              state={state}
              name="email"
              type="email"
              label={t("Email address")}
              stored={address ?? ""}
              hint={t(
                isBot(user)
                  ? "The email address of a bot cannot be changed."
                  : address === null
                  ? "You cannot see the email address. Leave this empty to keep it."
                  : "Changing it signs the user out in all browsers.",
              )}
              isDisabled={isBot(user)}
            />
            <RoleField user={user} isLastOwner={isLastOwner} />
            {isBot(user) && (
              <PeopleField
                state={state}
                name="owner"
                label={t("Owner")}
                hint={t("A name, an email address or a user ID of an active user.")}
                stored={owner === null ? "" : toPersonLine(owner)}
                rows={1}
              />
            )}
            {url !== null && payload_url}
          </div>
        )}
      </Form>
    </Panel>
  );
}

function RoleField({ user, isLastOwner }: Pick<UserData, "user" | "isLastOwner">) {
  const { t, user: viewer } = useTexts(null);
  return (
    <SelectField
      state={useFormState(saveAccount)}
      name="role"
      label={t("Role")}
      stored={String(user.role)}
      // Only owners can grant ownership, and the last owner keeps the role.
      choices={ROLES.map((role) => ({
        value: String(role),
        label: t(ROLE_TITLES[role]),
        isDisabled: isLastOwner ? role !== user.role : role === ROLE.owner && !isOwner(viewer),
      }))}
      hint={isLastOwner
        ? t("The only owner cannot change to another role. Make another user an owner first.")
        : isOwner(viewer)
        ? undefined
        : t("Only owners can assign the owner role.")}
    />
  );
}
