import type { FieldFormData } from "@/lib/admin/profile_fields/profile_field_view.ts";
import { FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { TextInput } from "../fields.tsx";
import type { FormState } from "../form_state.ts";
import { FOR_CUSTOM } from "./type_visibility.ts";

/** Renders the choice of an external account type, and the URL pattern of a custom one. */
export function AccountFields({ state, data }: { state: FormState; data: FieldFormData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
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
          hint={formatter.t(text.patternHint, { token, example })}
        />
      </div>
    </div>
  );
}

function AccountPicker({ state, data }: { state: FormState; data: FieldFormData }) {
  const { messages, formatter } = useAdmin();
  const text = messages.profileFields;
  const chosen = state.value("account", data.account);
  const problem = state.problem("account");
  const choices = [
    ...data.accounts.map(({ subtype, text: title, name, isTaken }) => ({
      value: subtype,
      title: isTaken ? formatter.t(text.accountTaken, { name: title }) : title,
      about: isTaken ? null : formatter.t(text.accountLabel, { name }),
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
