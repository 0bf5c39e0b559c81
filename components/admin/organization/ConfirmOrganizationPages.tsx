import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ClosingData } from "@/lib/admin/organization/organization_closing.ts";
import type { RemoveDomainData } from "@/lib/admin/organization/organization_domains.ts";
import { DANGER_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";

const ABOVE = "/admin/organization";

/** Renders the page that confirms removing a domain. */
export function RemoveDomainPage({ data, refused }: AdminPageData<RemoveDomainData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.organization;
  return (
    <ConfirmPage
      title={formatter.t(text.removeTitle, { name: data.domain })}
      above={[{ path: ABOVE, name: text.title }]}
      action="remove"
      button={text.removeButton}
      refused={refused}
    >
      {data.opensJoining
        ? <p class="font-medium text-accent">{text.removeLast}</p>
        : <p>{text.removeText}</p>}
    </ConfirmPage>
  );
}

/** Renders the page that confirms deactivating the organization; the owner has to type its name. */
export function DeactivateOrganizationPage({ data, refused }: AdminPageData<ClosingData>) {
  const { messages, formatter, realm } = useAdmin();
  const text = messages.organization;
  const state = formState(refused, "deactivate");
  return (
    <>
      <AdminHeading
        title={formatter.t(text.closingTitle, { organization: realm.name })}
        above={[{ path: ABOVE, name: text.title }]}
      />
      <div class="grid max-w-[58ch] gap-6">
        <div class="grid gap-2">
          <p>{text.closingSignedOut}</p>
          <p>{text.closingKept}</p>
        </div>
        {data.isOwner
          ? (
            <AdminForm
              state={state}
              button={text.closingButton}
              look={DANGER_BUTTON}
              beside={<CancelLink to={ABOVE} />}
            >
              <TextInput
                state={state}
                name="typed"
                label={formatter.t(text.closingType, { word: data.word })}
              />
            </AdminForm>
          )
          : (
            <>
              <p class="font-medium text-accent">{text.closingOwners}</p>
              <CancelLink to={ABOVE} />
            </>
          )}
      </div>
    </>
  );
}
