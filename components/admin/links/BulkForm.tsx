import SelectAll from "@/islands/admin/links/SelectAll.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { LinksData } from "@/lib/admin/links/links_page.ts";
import { useAdmin } from "../admin_view.ts";
import { CheckField, SelectField, TextInput } from "../fields.tsx";
import { FormProblem } from "../FormProblem.tsx";
import { formState } from "../form_state.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";

/** Id of the form, which the checkboxes of the list belong to. */
export const BULK_FORM = "change-selected";

const CHANGES = ["disable", "enable", "add_tag", "remove_tag", "delete_keep", "delete_visits"] as const;

/** Renders the form that changes or deletes several links. */
export function BulkForm({ data, refused }: AdminPageData<LinksData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.links;
  const state = formState(refused, "change_selected");
  const count = data.limits.changed;
  return (
    <section aria-labelledby="bulk-title" class="mt-9">
      <h2 id="bulk-title">{text.bulkTitle}</h2>
      <p class="mt-1 mb-3 max-w-[64ch] text-soft">{formatter.t(text.bulkHint, { count })}</p>
      <form method="post" id={BULK_FORM} noValidate class="grid max-w-[40rem] gap-4">
        <input type="hidden" name="action" value="change_selected" />
        <FormProblem problem={state.problem("form")} />
        <SelectAll
          form={BULK_FORM}
          language={formatter.language}
          messages={{ selectAll: text.selectAll, selected: text.selected }}
        />
        <CheckField state={state} name="all" label={formatter.t(text.allFound, { count })} stored={false} />
        <div class="grid gap-4 sm:grid-cols-2">
          <SelectField
            state={state}
            name="change"
            label={text.change}
            choices={CHANGES.map((value) => ({ value, label: text.changes[value] }))}
          />
          <TextInput state={state} name="tag" label={text.tag} maxLength={data.limits.tag} />
        </div>
        <CheckField state={state} name="confirm" label={text.confirmDelete} stored={false} />
        <div>
          <button type="submit" class={QUIET_BUTTON}>{text.applyChange}</button>
        </div>
      </form>
    </section>
  );
}
