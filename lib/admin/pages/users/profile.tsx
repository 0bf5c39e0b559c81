import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { FactList } from "@/components/admin/FactList.tsx";
import { SelectField, TextArea, TextInput } from "@/components/admin/fields.tsx";
import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import { PeopleField } from "@/components/admin/people/PeopleField.tsx";
import type { ProfileData, ProfileValueInput } from "@/lib/chat/people/profile_fields/model/field_data.ts";
import { FIELD_TYPE, type ProfileFieldRecord } from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import { readFields, readProfileData } from "@/lib/chat/people/profile_fields/store.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { updateUser } from "@/lib/chat/people/users/update_user.ts";
import type { AppError } from "@/lib/core/errors.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { linesOf } from "@/lib/ui/permission_fields.ts";
import type { Done } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { findPeople, readPeopleInput, toPeopleText } from "@/lib/admin/people/find_people.ts";
import { atRevision, revisionOf } from "@/lib/admin/revision.ts";
import { readPeople } from "@/lib/admin/shown_people.ts";
import { storedChoices } from "../profile_fields/field_data.ts";

type ShownProfile = Awaited<ReturnType<typeof loadProfile>>;
type ShownValue = ShownProfile["values"][number];

/** Loads the fields of profiles, each with the value of a user as text. */
export async function loadProfile(request: AdminRequest, { id }: UserRecord) {
  const { chat, realm } = request;
  const [fields, data] = await Promise.all([readFields(chat, realm.id), readProfileData(chat, realm.id, id)]);
  const values = fields.map(async (field) => ({
    ...field,
    choices: storedChoices(field).map(({ key, text }) => ({ value: key, label: text })),
    value: await toText(request, field, data[field.id]?.value ?? ""),
  }));
  return { values: await Promise.all(values), seen: revisionOf(textsOf(data)) };
}

function textsOf(data: ProfileData): readonly unknown[] {
  return Object.entries(data).map(([id, { value }]) => [id, value]);
}

async function toText(request: AdminRequest, { type }: ProfileFieldRecord, value: string): Promise<string> {
  if (type !== FIELD_TYPE.people || value === "") return value;
  const ids = parseJson(value);
  return toPeopleText(await readPeople(request, Array.isArray(ids) ? ids.map(Number) : []));
}

async function readTexts(request: AdminRequest): Promise<readonly unknown[]> {
  const { chat, realm } = request;
  return textsOf(await readProfileData(chat, realm.id, pathId(request)));
}

/** Saves the values of the page's user that the form changes. */
export const saveProfile = {
  action: "profile",
  fieldOf: ({ field }: AppError) => field && `profile_${field}`,
  run: atRevision(readTexts, async (request, submitted): Promise<Done> => {
    const { chat, realm, caller, t } = request;
    const id = pathId(request);
    const data = await readProfileData(chat, realm.id, id);
    const profile_data: ProfileValueInput[] = [];
    for (const field of await readFields(chat, realm.id)) {
      const shown = await toText(request, field, data[field.id]?.value ?? "");
      const value = await readChange(request, submitted, { field, shown });
      if (value !== undefined) profile_data.push({ id: field.id, value });
    }
    await updateUser(chat, caller, { name: String(id), changes: { profile_data } });
    const user = await readUser(chat, realm.id, id);
    return { flash: t("Profile of {name} saved.", { name: user?.full_name ?? "" }) };
  }),
};

/** Reads the value of a field from a form; undefined when it is unchanged, even if it is no longer valid. */
async function readChange(
  request: AdminRequest,
  form: FormFields,
  { field: { id, type }, shown }: { field: ProfileFieldRecord; shown: string },
): Promise<string | readonly number[] | undefined> {
  const name = `profile_${id}`;
  const text = form.text(name);
  if (type !== FIELD_TYPE.people) {
    const value = text.replaceAll("\r\n", "\n").trim();
    return value === shown.trim() ? undefined : value;
  }
  if (linesOf(text).join("\n") === linesOf(shown).join("\n")) return undefined;
  return (await findPeople(request, readPeopleInput(form, name), name)).map(({ id }) => id);
}

/** Renders the values of a user's profile: a form where the viewer may change them, else a list. */
export function ProfileSection({ profile, mayChange }: { profile: ShownProfile; mayChange: boolean }) {
  const { t } = useTexts(null);
  if (profile.values.length === 0) return null;
  const state = useFormState(saveProfile);
  return (
    <section aria-labelledby="profile-title" class="mb-9">
      <h2 id="profile-title" class="mb-3">{t("Profile")}</h2>
      {mayChange
        ? (
          <AdminForm
            state={state}
            button={t("Save profile")}
            look={QUIET_BUTTON}
            hidden={{ seen: profile.seen }}
          >
            <div class="grid max-w-[46rem] items-start gap-4 sm:grid-cols-2">
              {profile.values.map((value) => <ValueField key={value.id} state={state} shown={value} />)}
            </div>
          </AdminForm>
        )
        : <ValueList values={profile.values} />}
    </section>
  );
}

function ValueField({ state, shown }: { state: FormState; shown: ShownValue }) {
  const { t } = useTexts(null);
  const { id, name, hint, type, choices, value } = shown;
  const field = { state, name: `profile_${id}`, label: name, stored: value, hint: hint || undefined };
  switch (type) {
    case FIELD_TYPE.longText:
      return <TextArea {...field} />;
    case FIELD_TYPE.choice:
      return <SelectField {...field} choices={[{ value: "", label: t("Not set") }, ...choices]} />;
    case FIELD_TYPE.people:
      return <PeopleField {...field} />;
    default:
      return (
        <TextInput
          {...field}
          type={type === FIELD_TYPE.date ? "date" : type === FIELD_TYPE.link ? "url" : "text"}
        />
      );
  }
}

function ValueList({ values }: { values: readonly ShownValue[] }) {
  const { t } = useTexts(null);
  const facts = values.map(({ name, value, choices }) => {
    const text = choices.find((choice) => choice.value === value)?.label ?? value;
    return [name, text === "" ? t("Not set") : text] as const;
  });
  return <FactList facts={facts} />;
}
