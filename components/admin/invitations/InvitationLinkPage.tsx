import type { ComponentChildren } from "preact";
import { QrCode } from "@/components/QrCode.tsx";
import Countdowns from "@/islands/admin/invitations/Countdowns.tsx";
import CopyLinks from "@/islands/admin/invitations/CopyLinks.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { InvitationLinkData } from "@/lib/admin/invitations/invitation_link_page.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";
import { COUNT, JoinedPeople } from "./JoinedPeople.tsx";
import { JoiningRule } from "./JoiningRule.tsx";
import { RelativeTime } from "./RelativeTime.tsx";
import { ChannelAndGroupFields, DefaultChannelsField, RoleField } from "./InvitationFields.tsx";
import { Link } from "../../Link.tsx";

const ABOVE = "/admin/invitations";

/** Renders the page of a reusable link: copy buttons, QR code, settings and revocation. */
export function InvitationLinkPage({ data, refused }: AdminPageData<InvitationLinkData>) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  return (
    <>
      <AdminHeading
        title={formatter.t(text.linkTitle, { id: String(data.link.id) })}
        lede={
          <>
            {text.linkLede} <JoiningRule rule={data.linkJoining} />
          </>
        }
        above={[{ path: ABOVE, name: text.title }]}
        actions={
          <Link class={QUIET_BUTTON} href={`${ABOVE}/link/${data.link.id}/revoke`}>{text.revokeLink}</Link>
        }
      />
      <Panel title={text.linkAddress}>
        <div class="grid gap-x-8 gap-y-6 sm:grid-cols-[minmax(0,1fr)_auto]">
          <TheLink data={data} />
          <div id="qr" class="grid content-start justify-items-start gap-2">
            <QrCode text={data.url} label={text.qrLabel} />
            <form method="post">
              <input type="hidden" name="action" value="qr" />
              <button type="submit" class="link inline-flex min-h-8 cursor-pointer items-center text-small">
                {text.qrDownload}
              </button>
            </form>
          </div>
        </div>
      </Panel>
      <JoinedPeople people={data.people} now={data.now} />
      <EditLink data={data} refused={refused} />
      <Countdowns now={data.now} expired={text.expired} language={formatter.language} />
    </>
  );
}

function TheLink({ data: { url, link, now } }: { data: InvitationLinkData }) {
  const { messages: { invitations: text, shell }, formatter } = useAdmin();
  return (
    <div class="grid content-start gap-4">
      <div>
        <p class="text-small text-soft">{text.linkAddress}</p>
        <code class="mt-1 block font-mono text-[0.95rem] leading-7 break-all select-all">{url}</code>
      </div>
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button type="button" data-copy={url} class={`${PRIMARY_BUTTON} noscript:hidden`}>
          {text.copyLink}
        </button>
        <CopyLinks copied={text.copied} failed={text.copyFailed} />
      </div>
      <dl class="grid grid-cols-2 gap-x-6 gap-y-3 text-small sm:grid-cols-3">
        <Fact term={text.role}>{shell.roles[link.role]}</Fact>
        <Fact term={text.expires}>
          <RelativeTime time={link.expiresAt} now={now} isEnd isSoon={link.isSoon} />
        </Fact>
        <Fact term={text.joinedTitle}>
          <span id={COUNT}>
            {link.joined === 0 ? text.nobodyJoined : formatter.t(text.joined, { count: link.joined })}
          </span>
        </Fact>
        <Fact term={text.madeBy}>
          <bdi>{link.inviter}</bdi>
        </Fact>
        <Fact term={text.created}>
          <RelativeTime time={link.createdAt} now={now} />
        </Fact>
        <Fact term={text.channels}>
          <bdi>{link.channels}</bdi>
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div class="min-w-0">
      <dt class="text-soft">{term}</dt>
      <dd class="mt-0.5 break-words">{children}</dd>
    </div>
  );
}

function EditLink({ data, refused }: AdminPageData<InvitationLinkData>) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const state = formState(refused, "save");
  const { stored, choices } = data;
  return (
    <section aria-labelledby="edit-title">
      <h2 id="edit-title" class="mb-4">{text.editTitle}</h2>
      <AdminForm state={state} button={text.saveLink} hidden={{ seen: data.seen }}>
        <div class="grid items-start gap-4 sm:grid-cols-2">
          <RoleField state={state} choices={choices} stored={stored.role} />
          <DefaultChannelsField state={state} choices={choices} stored={stored.hasDefaults} />
          <ChannelAndGroupFields
            state={state}
            choices={choices}
            channels={stored.channels}
            groups={stored.groups}
          />
        </div>
        {stored.hiddenChannels > 0 && (
          <p class="text-small text-soft">
            {formatter.t(text.hiddenChannels, { count: stored.hiddenChannels })}
          </p>
        )}
      </AdminForm>
    </section>
  );
}
