import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { NewUserData } from "@/lib/admin/users/users_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { Link } from "../../Link.tsx";

/** Renders the form that creates an account with an initial password. */
export function NewUserPage({ data, refused }: AdminPageData<NewUserData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.users;
  const state = formState(refused, "create");
  return (
    <>
      <AdminHeading
        title={text.newTitle}
        above={[{ path: "/admin/users", name: text.title }]}
        lede={
          <>
            {text.newLede} {text.newInvite}{" "}
            <Link class="link" href="/admin/invitations">{text.inviteLink}</Link>
          </>
        }
      />
      <Panel title={text.newTitle}>
        <AdminForm state={state} button={text.create}>
          <div class="grid max-w-[28rem] gap-4">
            <TextInput state={state} name="full_name" label={text.fullName} />
            <TextInput state={state} name="email" type="email" label={text.address} />
            <TextInput
              state={state}
              name="password"
              type="password"
              label={text.password}
              showText={text.showPassword}
              autocomplete="new-password"
              hint={formatter.t(text.passwordHint, { count: data.minPassword })}
            />
          </div>
        </AdminForm>
      </Panel>
    </>
  );
}
