import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { UserData } from "@/lib/admin/users/user_data.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { SecretField } from "../SecretField.tsx";

/** Renders the sign-in link that was just made for a user, or the form that makes one. */
export function SignInLinkPage({ data: { id, name }, refused }: AdminPageData<UserData>) {
  const { messages: { users: text }, formatter } = useAdmin();
  const { url, expiresAt } = refused?.result ?? {};
  return (
    <>
      <AdminHeading
        title={formatter.t(text.signInTitle, { name })}
        above={[{ path: "/admin/users", name: text.title }, { path: `/admin/users/${id}`, name }]}
        lede={formatter.t(text.signInLede, { name })}
      />
      {typeof url === "string" && typeof expiresAt === "number"
        ? (
          <Panel title={text.signInAddress}>
            <p role="status">{formatter.t(text.signInMade, { name, moment: formatter.moment(expiresAt) })}</p>
            <SecretField id="url" label={text.signInAddress} value={url} copy={text.copySignInLink} />
          </Panel>
        )
        : <AdminForm state={formState(refused, "make")} button={text.signInLink} />}
    </>
  );
}
