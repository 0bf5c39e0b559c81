import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { GroupData } from "@/lib/admin/groups/group_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { formState } from "../form_state.ts";
import { FormProblem } from "../FormProblem.tsx";
import { GroupUses } from "./GroupUses.tsx";

/**
 * Renders the page that confirms deactivating a group, or lists the settings that use it and have to change
 * first.
 */
export function DeactivateGroupPage({ data, refused }: AdminPageData<GroupData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.groups;
  const title = formatter.t(text.deactivateTitle, { name: data.name });
  const above = [
    { path: "/admin/groups", name: text.title },
    { path: `/admin/groups/${data.id}`, name: data.name },
  ];
  if (data.uses.length > 0) {
    return (
      <>
        <AdminHeading title={formatter.t(text.inUseTitle, { name: data.name })} above={above} />
        <div class="max-w-[46rem]">
          <FormProblem problem={formState(refused, "deactivate").problem("form")} margin="mb-4" />
          <p class="mb-5">{text.inUse}</p>
          <GroupUses uses={data.uses} />
        </div>
      </>
    );
  }
  const { mention, members, back } = text.deactivateTexts;
  return (
    <ConfirmPage
      title={title}
      above={above}
      action="deactivate"
      button={text.deactivateLink}
      refused={refused}
    >
      <p>{mention}</p>
      <p>{members}</p>
      <p class="text-soft">{back}</p>
    </ConfirmPage>
  );
}
