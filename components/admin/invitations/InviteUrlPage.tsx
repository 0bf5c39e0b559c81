import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { AskedData } from "@/lib/admin/invitations/invitation_end_pages.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { SecretField } from "../SecretField.tsx";

/** Renders the link of an email invitation after it was asked for, or the form that shows it. */
export function InviteUrlPage({ data: { invitation: { email } }, refused }: AdminPageData<AskedData>) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const url = refused?.result?.["url"];
  return (
    <>
      <AdminHeading
        title={formatter.t(text.urlTitle, { email })}
        above={[{ path: "/admin/invitations", name: text.title }]}
        lede={text.urlLede}
      />
      {typeof url === "string"
        ? (
          <Panel title={text.linkAddress}>
            <SecretField id="url" label={text.linkAddress} value={url} copy={text.copyLink} />
          </Panel>
        )
        : <AdminForm state={formState(refused, "show")} button={text.showLink} />}
    </>
  );
}
