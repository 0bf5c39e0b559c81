import type { ComponentChildren } from "preact";
import { choiceFieldOf } from "@/lib/ui/permission_fields.ts";
import { useAdmin } from "../admin_view.ts";
import { CheckList, TextArea } from "../fields.tsx";
import type { FormState } from "../form_state.ts";

export const PEOPLE_HINT = "One on each line: a name, an email address or a user ID.";

interface PeopleFieldProps {
  readonly state: FormState;
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly stored?: string;
  readonly rows?: number;
  /** Whether the field also takes groups, as `@name`. */
  readonly takesGroups?: boolean;
}

/**
 * Renders a field for people: a text with one on each line, which `PeopleFields` turns into a search. After a refusal,
 * the accounts that an unclear name may mean are listed below.
 */
export function PeopleField({ takesGroups = false, hint, ...field }: PeopleFieldProps) {
  const { t } = useAdmin();
  const { state, name } = field;
  const choices = state.choices(name);
  return (
    <div class="grid content-start gap-y-3" data-people={takesGroups ? "groups" : ""}>
      <TextArea {...field} rows={field.rows ?? 2} hint={hint ?? t(PEOPLE_HINT)} />
      {choices.length > 0 && (
        <CheckList
          state={state}
          name={choiceFieldOf(name)}
          label={t("Matches")}
          empty=""
          choices={choices.map(({ id, name, note }) => ({ value: String(id), label: name, note }))}
        />
      )}
    </div>
  );
}
