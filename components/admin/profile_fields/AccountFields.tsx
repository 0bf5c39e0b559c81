import type { FieldFormData } from "@/lib/admin/profile_field_view.ts";
import { FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { TextInput } from "../fields.tsx";
import type { FormState } from "../form_state.ts";
import { FOR_CUSTOM } from "./kinds.ts";

/** Which account a field is for, and the address of one where it is not known. */
export function AccountFields({ state, data }: { state: FormState; data: FieldFormData }) {
  const { words, speech } = useAdmin();
  const text = words.profileFields;
  const token = data.accountName;
  const example = `https://example.com/${token}`;
  return (
    <div class="grid gap-4">
      {data.id === null && <AccountPicker state={state} data={data} />}
      <div class={data.id === null ? FOR_CUSTOM : ""}>
        <TextInput
          state={state}
          name="url_pattern"
          label={text.pattern}
          stored={data.pattern}
          isMono
          placeholder={example}
          hint={speech.say(text.patternHint, { token, example })}
        />
      </div>
    </div>
  );
}

function AccountPicker({ state, data }: { state: FormState; data: FieldFormData }) {
  const { words, speech } = useAdmin();
  const text = words.profileFields;
  const chosen = state.value("account", data.account);
  const problem = state.problem("account");
  const choices = [
    ...data.accounts.map(({ subtype, text: title, name, isTaken }) => ({
      value: subtype,
      title: isTaken ? speech.say(text.accountTaken, { name: title }) : title,
      about: isTaken ? null : speech.say(text.accountLabel, { name }),
      isTaken,
    })),
    { value: "custom", title: text.accountCustom, about: null, isTaken: false },
  ];
  return (
    <fieldset class="min-w-0" aria-describedby={problem === undefined ? undefined : "account-problem"}>
      <legend class={`${FIELD_LABEL} mb-1`}>{text.accountTitle}</legend>
      {choices.map(({ value, title, about, isTaken }) => (
        <label key={value} class={`flex min-h-9 items-start gap-2.5 py-1.5 ${isTaken ? "text-soft" : ""}`}>
          <input
            type="radio"
            name="account"
            value={value}
            data-known={value === "custom" ? undefined : true}
            defaultChecked={value === chosen}
            disabled={isTaken}
            class="mt-0.5 size-5 flex-none accent-ink"
          />
          <span class="min-w-0">
            {title}
            {about !== null && <span class="block text-small text-soft">{about}</span>}
          </span>
        </label>
      ))}
      {problem !== undefined && <p id="account-problem" role="alert" class={FIELD_PROBLEM}>{problem}</p>}
    </fieldset>
  );
}
