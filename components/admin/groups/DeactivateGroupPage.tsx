import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { GroupData } from "@/lib/admin/group_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminHeading } from "../AdminHeading.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { formState } from "../form_state.ts";
import { FormProblem } from "../permissions/FormProblem.tsx";
import { GroupUses } from "./GroupUses.tsx";

/** Asks before a group is deactivated; where something uses it, says what has to be changed first. */
export function DeactivateGroupPage({ data, refused }: AdminPageData<GroupData>) {
  const { words, speech } = useAdmin();
  const text = words.groups;
  const title = speech.say(text.deactivateTitle, { name: data.name });
  const above = [
    { path: "/admin/groups", name: text.title },
    { path: `/admin/groups/${data.id}`, name: data.name },
  ];
  if (data.uses.length > 0) {
    return (
      <>
        <AdminHeading title={speech.say(text.inUseTitle, { name: data.name })} above={above} />
        <div class="max-w-[46rem]">
          <FormProblem state={formState(refused, "deactivate")} />
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
