import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { CheckField, SelectField, TextInput } from "@/components/admin/fields.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import SelectAll from "@/islands/admin/links/SelectAll.tsx";
import { MAX_CHANGED_LINKS } from "@/lib/links/manage/link_schemas.ts";
import type { LinkPatch } from "@/lib/links/manage/properties.ts";
import { deleteLinks, updateLinks } from "@/lib/links/manage/update_links.ts";
import { findLinks } from "@/lib/links/search/find_links.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { type Done, FormRefusal } from "../../admin_page.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { useTexts } from "../../declare/texts.ts";
import type { FormFields } from "../../form_fields.ts";
import { readListQuery, toSearchRequest } from "./list_query.ts";
import { linkActorOf } from "./shown_link.tsx";

const texts = {
  bulkTitle: "Change several links",
  bulkHint: "Select links in the list, or change all links of this search, up to {count}.",
  selectAll: "Select all on this page",
  selected: { one: "{count} selected", other: "{count} selected" },
  allFound: "All links of this search, up to {count}",
  change: "Change",
  changes: {
    disable: "Disable",
    enable: "Enable",
    add_tag: "Add the tag",
    remove_tag: "Remove the tag",
    delete_keep: "Delete, and keep the visits in the statistics",
    delete_visits: "Delete with all visits",
  },
  tag: "Tag",
  confirmDelete: "I want to delete these links. This cannot be undone.",
  applyChange: "Apply",
  noneSelected: "Select at least one link.",
  noChange: "Choose a change.",
  noTag: "Enter a tag.",
  notConfirmed: "Check this box to delete the links.",
  changedMany: { one: "{count} link changed.", other: "{count} links changed." },
  deletedMany: { one: "{count} link deleted.", other: "{count} links deleted." },
};

/** Changes of several links that the form offers. */
export const SELECTED_CHANGES = [
  "disable",
  "enable",
  "add_tag",
  "remove_tag",
  "delete_keep",
  "delete_visits",
] as const;

type SelectedChange = typeof SELECTED_CHANGES[number];

/** Number of links that are read at once to find all of a search. */
const BATCH = 100;

/** Changes or deletes the selected links, or all links of the search. */
export async function changeSelected(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, t } = request;
  const change = SELECTED_CHANGES.find((known) => known === fields.text("change"));
  if (change === undefined) throw new FormRefusal({ change: t(texts.noChange) });
  const shorts = fields.flag("all")
    ? await listFound(request)
    : fields.all("short").slice(0, MAX_CHANGED_LINKS);
  if (shorts.length === 0) throw new FormRefusal({ form: t(texts.noneSelected) });
  const actor = linkActorOf(request);
  if (change === "delete_keep" || change === "delete_visits") {
    if (!fields.flag("confirm")) throw new FormRefusal({ confirm: t(texts.notConfirmed) });
    const areVisitsDeleted = change === "delete_visits";
    const { changed } = await deleteLinks(links, { shorts, areVisitsDeleted }, actor);
    return { flash: t(texts.deletedMany, { count: changed.length }) };
  }
  const patch = toPatch(change, fields.exact("tag").trim());
  if (patch === null) throw new FormRefusal({ tag: t(texts.noTag) });
  const { changed } = await updateLinks(links, { shorts, patch }, actor);
  return { flash: t(texts.changedMany, { count: changed.length }) };
}

function toPatch(
  change: Exclude<SelectedChange, "delete_keep" | "delete_visits">,
  tag: string,
): LinkPatch | null {
  if (change === "disable" || change === "enable") return { isDisabled: change === "disable" };
  if (tag === "") return null;
  return change === "add_tag" ? { addedTags: [tag] } : { removedTags: [tag] };
}

/** Lists the ids of all links of the page's search, up to the number that one request changes. */
async function listFound({ services: { links }, query }: AdminRequest): Promise<string[]> {
  const shorts: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof findLinks>> = await findLinks(
      links,
      toSearchRequest({ ...readListQuery(query), cursor }, BATCH),
    );
    shorts.push(...page.links.map(({ short }) => short));
    cursor = page.next;
  } while (cursor !== null && shorts.length < MAX_CHANGED_LINKS);
  return shorts.slice(0, MAX_CHANGED_LINKS);
}

/** Id of the form, which the checkboxes of the list belong to. */
export const BULK_FORM = "change-selected";

/** Renders the form that changes or deletes several links. */
export function BulkForm({ limits }: { limits: { readonly changed: number; readonly tag: number } }) {
  const { text, t, formatter } = useTexts(texts);
  const state = useFormState({ action: "change_selected" });
  const count = limits.changed;
  return (
    <section aria-labelledby="bulk-title" class="mt-9">
      <h2 id="bulk-title">{text.bulkTitle}</h2>
      <p class="mt-1 mb-3 max-w-[64ch] text-soft">{t(text.bulkHint, { count })}</p>
      <form method="post" id={BULK_FORM} noValidate class="grid max-w-[40rem] gap-4">
        <input type="hidden" name="action" value="change_selected" />
        <FormProblem problem={state.problem("form")} />
        <SelectAll
          form={BULK_FORM}
          language={formatter.language}
          messages={{ selectAll: text.selectAll, selected: text.selected }}
        />
        <CheckField state={state} name="all" label={t(text.allFound, { count })} stored={false} />
        <div class="grid gap-4 sm:grid-cols-2">
          <SelectField
            state={state}
            name="change"
            label={text.change}
            choices={SELECTED_CHANGES.map((value) => ({ value, label: text.changes[value] }))}
          />
          <TextInput state={state} name="tag" label={text.tag} maxLength={limits.tag} />
        </div>
        <CheckField state={state} name="confirm" label={text.confirmDelete} stored={false} />
        <div>
          <button type="submit" class={QUIET_BUTTON}>{text.applyChange}</button>
        </div>
      </form>
    </section>
  );
}
