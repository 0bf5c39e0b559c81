import { page } from "fresh";
import { ConfirmationPage } from "@/components/account/ConfirmationPage.tsx";
import { confirmEmailChange, peekEmailChange } from "@/lib/chat/user_settings/confirm_email_change.ts";
import { methods } from "@/lib/api/methods.ts";
import { getPageRealm } from "@/lib/api/page_session.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<{ address: string | null }>({
  GET: async (ctx) => {
    const realm = await getPageRealm(ctx);
    // HEAD is answered here too, and changes nothing.
    const follow = ctx.req.method === "GET" ? confirmEmailChange : peekEmailChange;
    const address = await follow(ctx.state.app.chat, realm, ctx.params["key"] ?? "");
    const status = address === null ? 404 : 200;
    return page({ address }, { status, headers: { "cache-control": "no-store" } });
  },
});

export default define.page<typeof handler>(({ data: { address } }) =>
  address === null
    ? (
      <ConfirmationPage
        title="This link no longer works"
        text="It was used already, is older than a day, or another address was asked for since."
        link={{ href: "/account", label: "Go to your account" }}
      />
    )
    : (
      <ConfirmationPage
        title="Your address is confirmed"
        text={`Your account now has the address ${address}. Please sign in with it.`}
        link={{ href: "/login", label: "Sign in" }}
      />
    )
);
