import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { ClosingData } from "@/lib/admin/organization_closing.ts";
import type { RemoveDomainData } from "@/lib/admin/organization_domains.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { ConfirmPage } from "../ConfirmPage.tsx";
import { TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";

const ABOVE = "/admin/organization";

/** Asks before a domain is removed. */
export function RemoveDomainPage({ data, refused }: AdminPageData<RemoveDomainData>) {
  const { words, speech } = useAdmin();
  const text = words.organization;
  return (
    <ConfirmPage
      title={speech.say(text.removeTitle, { name: data.domain })}
      above={[{ path: ABOVE, name: text.title }]}
      action="remove"
      button={text.removeButton}
      refused={refused}
    >
      <p>{text.removeText}</p>
      {data.opensJoining && <p class="font-medium text-accent">{text.removeLast}</p>}
    </ConfirmPage>
  );
}

/** Asks an owner to type what he is about to deactivate. */
export function ClosingPage({ data, refused }: AdminPageData<ClosingData>) {
  const { words, speech, realm } = useAdmin();
  const text = words.organization;
  const state = formState(refused, "deactivate");
  return (
    <>
      <AdminHeading
        title={speech.say(text.closingTitle, { organization: realm.name })}
        above={[{ path: ABOVE, name: text.title }]}
      />
      <div class="grid max-w-[58ch] gap-6">
        <div class="grid gap-2">
          <p>{text.closingSignedOut}</p>
          <p>{text.closingKept}</p>
        </div>
        {data.isOwner
          ? (
            <AdminForm state={state} button={text.closingButton} beside={<CancelLink to={ABOVE} />}>
              <TextInput
                state={state}
                name="typed"
                label={speech.say(text.closingType, { word: data.word })}
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
