import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { LinkData } from "@/lib/admin/links/link_page.ts";
import { DANGER_BUTTON } from "@/lib/ui/class_names.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { toVisible } from "@/lib/ui/short_link.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { formState } from "../form_state.ts";

const TITLE_CHARACTERS = 48;
const CRUMB_CHARACTERS = 20;

/** Renders the page that confirms deleting a link, with the choice to keep its visits. */
export function DeleteLinkPage({ data: { link }, refused }: AdminPageData<LinkData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.links;
  const name = link.title === "" ? cutMiddle(toVisible(link.url), TITLE_CHARACTERS) : link.title;
  const path = `/admin/links/${encodeURIComponent(link.short)}`;
  return (
    <>
      <AdminHeading
        title={formatter.t(text.deleteTitle, { name })}
        above={[{ path: "/admin/links", name: text.title }, {
          path,
          name: cutMiddle(name, CRUMB_CHARACTERS),
        }]}
      />
      <div class="max-w-[58ch]">
        <p class="mb-2">{text.deleteText}</p>
        <p class="mb-6">{messages.common.cannotUndo}</p>
        <AdminForm
          state={formState(refused, "delete")}
          button={text.deleteButton}
          look={DANGER_BUTTON}
          beside={<CancelLink to={path} />}
        >
          <VisitsChoice count={link.visits} />
        </AdminForm>
      </div>
    </>
  );
}

function VisitsChoice({ count }: { count: number }) {
  const { messages, formatter } = useAdmin();
  const text = messages.links;
  const choices = [
    { value: "keep", label: text.keepVisits, hint: formatter.t(text.keepVisitsHint, { count }) },
    { value: "delete", label: text.dropVisits, hint: formatter.t(text.dropVisitsHint, { count }) },
  ];
  return (
    <fieldset class="grid gap-y-2">
      <legend class="mb-1.5 text-small font-strong">{text.visitsChoice}</legend>
      {choices.map(({ value, label, hint }) => (
        <label key={value} class="flex min-h-9 items-start gap-2.5">
          <input
            type="radio"
            name="visits"
            value={value}
            defaultChecked={value === "keep"}
            class="mt-0.5 size-5 flex-none accent-ink"
          />
          <span class="grid">
            <span class="text-small font-strong">{label}</span>
            <span class="text-small text-soft">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
