import type { RefusedForm } from "@/lib/admin/admin_page.ts";
import type { ShownProfile, ShownValue } from "@/lib/admin/users/profile_values.ts";
import type { UserData } from "@/lib/admin/users/user_data.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { SelectField, TextArea, TextInput } from "../fields.tsx";
import { type FormState, formState } from "../form_state.ts";
import { PeopleField } from "../people/PeopleField.tsx";

interface ProfileSectionProps {
  readonly data: UserData;
  readonly profile: ShownProfile;
  readonly refused: RefusedForm | null;
}

/** Renders the values of a user's profile: a form where the viewer may change them, else a list. */
export function ProfileSection({ data, profile, refused }: ProfileSectionProps) {
  const { messages } = useAdmin();
  const text = messages.users;
  if (profile.values.length === 0) return null;
  const state = formState(refused, "profile");
  return (
    <section aria-labelledby="profile-title" class="mb-9">
      <h2 id="profile-title" class="mb-3">{text.profile}</h2>
      {data.mayChange
        ? (
          <AdminForm state={state} button={text.saveProfile} hidden={{ seen: profile.seen }}>
            <div class="grid max-w-[46rem] items-start gap-4 sm:grid-cols-2">
              {profile.values.map((value) => <ValueField key={value.id} state={state} shown={value} />)}
            </div>
          </AdminForm>
        )
        : <ValueList values={profile.values} />}
    </section>
  );
}

const LONG_TEXT = 2;
const CHOICE = 3;
const DATE = 4;
const LINK = 5;
const PEOPLE = 6;

function ValueField({ state, shown }: { state: FormState; shown: ShownValue }) {
  const { messages } = useAdmin();
  const { id, name, hint, type, choices, value } = shown;
  const field = {
    ...{ state, name: `profile_${id}`, label: name, stored: value },
    ...(hint === "" ? {} : { hint }),
  };
  switch (type) {
    case LONG_TEXT:
      return <TextArea {...field} />;
    case CHOICE:
      return <SelectField {...field} choices={[{ value: "", label: messages.users.unset }, ...choices]} />;
    case PEOPLE:
      return <PeopleField {...field} />;
    case DATE:
      return <TextInput {...field} type="date" />;
    case LINK:
      return <TextInput {...field} type="url" />;
    default:
      return <TextInput {...field} />;
  }
}

function ValueList({ values }: { values: readonly ShownValue[] }) {
  const { messages } = useAdmin();
  return (
    <dl class="max-w-[46rem] border-t border-rule">
      {values.map(({ id, name, value, choices }) => (
        <div key={id} class="flex flex-wrap gap-x-4 border-b border-rule py-2">
          <dt class="min-w-0 flex-[1_1_10rem] text-soft">{name}</dt>
          <dd class="min-w-0 flex-[2_1_14rem] break-words whitespace-pre-line">
            <bdi>
              {choices.find((choice) =>
                choice.value === value
              )?.label ?? (value || messages.users.unset)}
            </bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
