import { RadioField } from "@/components/admin/fields.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { isPlausibleShort } from "@/lib/links/alphabet.ts";
import { type LinkPatch, MAX_CHANGED_LINKS } from "@/lib/links/manage/link_schemas.ts";
import { deleteLinks, updateLinks } from "@/lib/links/manage/update_links.ts";
import { LINK_LIMITS } from "@/lib/links/params.ts";
import { readRanks } from "@/lib/links/visit_log.ts";
import { FIELD_PROBLEM, QUIET_BUTTON, TEXT_FIELD, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { listSome } from "@/lib/admin/permissions/group_names.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { Confirm } from "@/lib/admin/declare/confirm.tsx";
import { form } from "@/lib/admin/declare/form.tsx";
import type { Selection } from "@/components/admin/Table.tsx";
import { SelectionBar } from "@/lib/admin/declare/selection.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { findAllLinks, readListQuery, toListPath } from "./list_query.ts";
import { DELETE_TEXT, linkActorOf, nameOf, type ShownLink } from "./shown_link.tsx";

const texts = {
  changed: { one: "{count} link changed.", other: "{count} links changed." },
  deleteTitle: { one: "Delete {count} link?", other: "Delete {count} links?" },
  deleteButton: { one: "Delete {count} link", other: "Delete {count} links" },
  deleted: { one: "{count} link deleted.", other: "{count} links deleted." },
  keepHint: {
    one: "{count} visit stays in the totals and charts.",
    other: "{count} visits stay in the totals and charts.",
  },
  dropHint: {
    one: "{count} visit is removed from all totals and charts.",
    other: "{count} visits are removed from all totals and charts.",
  },
};

/** Number of links that the confirmation names. */
const MAX_NAMED = 20;

/** Changes of several links that the bar offers; the first one is that of the Enter key in the field for a tag. */
const CHANGES = {
  add_tag: "Add tag",
  remove_tag: "Remove tag",
  disable: "Disable",
  enable: "Enable",
  delete: "Delete",
};

/** The form that changes the selected links, or all of the search; links to delete are shown before. */
export const changeSelected = form({
  action: "change_selected",
  parameters: { tags: "tag" },
  run: async (request, _, submitted) => {
    const { services: { links, store: { kv } }, t } = request;
    const change = submitted.text("change");
    const shorts = submitted.flag("all")
      ? await Array.fromAsync(await findAllLinks(request, MAX_CHANGED_LINKS), ({ short }) => short)
      : readSelected(submitted);
    if (shorts.length === 0 || !Object.hasOwn(CHANGES, change)) {
      throw new FormRefusal({ form: t("Select at least one link.") });
    }
    if (change === "delete") {
      const ranks = await readRanks(kv, shorts);
      const visits = [...ranks.values()].reduce((sum, { count }) => sum + count, 0);
      await links.cache.refresh();
      const first = shorts.slice(0, MAX_NAMED);
      const named = await links.cache.readAll(first);
      const names = first.flatMap((short) => named.get(short) ?? [])
        .filter(({ deletedAt }) => deletedAt === undefined).map(nameOf);
      const back = toListPath(readListQuery(request.query));
      const draft = <ConfirmDeletion shorts={shorts} names={names} visits={visits} back={back} />;
      return { flash: "", draft };
    }
    const tag = submitted.exact("tag").trim();
    if (change.endsWith("tag") && tag === "") throw new FormRefusal({ tag: t("Enter a tag.") });
    const patch: LinkPatch = change === "add_tag"
      ? { addedTags: [tag] }
      : change === "remove_tag"
      ? { removedTags: [tag] }
      : { isDisabled: change === "disable" };
    const { changed } = await updateLinks(links, { shorts, patch }, linkActorOf(request));
    return { flash: t(texts.changed, { count: changed.length }) };
  },
});

/** The form that deletes links after they were shown. */
export const deleteSelected = form({
  action: "delete_selected",
  run: async (request, _, submitted) => {
    const areVisitsDeleted = submitted.text("visits") === "delete";
    const shorts = readSelected(submitted);
    const { changed } = await deleteLinks(
      request.services.links,
      { shorts, areVisitsDeleted },
      linkActorOf(request),
    );
    return { flash: request.t(texts.deleted, { count: changed.length }) };
  },
});

function readSelected(submitted: FormFields): string[] {
  return submitted.all("short").filter(isPlausibleShort).slice(0, MAX_CHANGED_LINKS);
}

const selection = {
  formId: "link-selection",
  name: "short",
  toValue: ({ short }: ShownLink) => short,
  toName: nameOf,
};

/** Returns the checkboxes of the list, checked as in a refused form. */
export function useSelection(): Selection<ShownLink> {
  const state = useFormState(changeSelected);
  return { ...selection, isSelected: ({ short }) => state.holds("short", short, []) };
}

/** Renders the bar that changes or deletes the selected links. */
export function SelectedLinks() {
  const { t } = useTexts(null);
  const state = useFormState(changeSelected);
  const problem = state.problem("form") ?? state.problem("tag");
  return (
    <SelectionBar of={selection} method="post" hidden={{ action: changeSelected.action }}>
      <label class="flex min-h-9 items-center gap-2.5">
        <input
          type="checkbox"
          name="all"
          value="true"
          defaultChecked={state.isTicked("all", false)}
          class="size-5 flex-none accent-ink"
        />
        {t("All links of this search, up to {count}", { count: MAX_CHANGED_LINKS })}
      </label>
      <input
        name="tag"
        aria-label={t("Tag")}
        placeholder={t("Tag")}
        maxLength={LINK_LIMITS.tag}
        defaultValue={state.value("tag")}
        aria-invalid={state.problem("tag") === undefined ? undefined : "true"}
        autoComplete="off"
        class={`${TEXT_FIELD} max-w-36`}
      />
      {Object.entries(CHANGES).map(([change, label]) => (
        <button
          key={change}
          type="submit"
          name="change"
          value={change}
          class={change === "delete" ? QUIET_BUTTON : WORD_BUTTON}
        >
          {t(label)}
        </button>
      ))}
      {problem !== undefined && <p role="alert" class={`${FIELD_PROBLEM} basis-full`}>{problem}</p>}
    </SelectionBar>
  );
}

interface ConfirmDeletionProps {
  readonly shorts: readonly string[];
  /** Names of the first of them. */
  readonly names: readonly string[];
  readonly visits: number;
  /** Path of the list. */
  readonly back: string;
}

/** Renders the question whether to delete the links that were selected, with the number of their visits. */
function ConfirmDeletion({ shorts, names, visits, back }: ConfirmDeletionProps) {
  const { text, t, formatter } = useTexts(texts);
  const count = shorts.length;
  return (
    <Confirm
      action={deleteSelected.action}
      button={t(text.deleteButton, { count })}
      back={back}
      fields={
        <>
          {shorts.map((short) => <input key={short} type="hidden" name="short" value={short} />)}
          <VisitsChoice action={deleteSelected.action} count={visits} />
        </>
      }
    >
      <h2 tabIndex={-1} autofocus>{t(text.deleteTitle, { count })}</h2>
      <p class="break-words">
        <bdi>{listSome({ t, formatter }, names, names.length, count)}</bdi>
      </p>
      <p>{t(DELETE_TEXT, { count })}</p>
      <p>{t("This cannot be undone.")}</p>
    </Confirm>
  );
}

/** Renders the choice of a form that deletes links: what happens to their visits. */
export function VisitsChoice({ action, count }: { action: string; count: number }) {
  const { text, t } = useTexts(texts);
  return (
    <RadioField
      state={useFormState({ action })}
      name="visits"
      label={t("Visits")}
      stored="keep"
      choices={[
        { value: "keep", label: t("Keep the visits"), hint: t(text.keepHint, { count }) },
        { value: "delete", label: t("Delete the visits"), hint: t(text.dropHint, { count }) },
      ]}
    />
  );
}
