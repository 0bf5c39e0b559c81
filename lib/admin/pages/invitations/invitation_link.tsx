import { GONE, ROLE_TITLES } from "@/lib/ui/texts.ts";
import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { Panel } from "@/components/admin/Panel.tsx";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import { Link } from "@/components/Link.tsx";
import { QrCode } from "@/components/ShortLinkText.tsx";
import WatchJoins from "@/islands/admin/invitations/WatchJoins.tsx";
import { updateInviteLink } from "@/lib/chat/joining/invites/invite_links.ts";
import type { InviteOffer } from "@/lib/chat/joining/invites/model.ts";
import { listAuditRecords } from "@/lib/chat/organization/audit/store.ts";
import { getLinkJoining } from "@/lib/chat/organization/organizations/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { toQrPath, toQrSvg } from "@/lib/ui/qr_path.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { toDownload } from "@/lib/admin/csv.ts";
import { Form, form, type Option } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { INVITES } from "@/lib/admin/events/shown_events.ts";
import { requireRevision, REVISION_FIELD, revisionOf } from "@/lib/admin/revision.ts";
import { Expiry, findManageable, LiveParts, RelativeTime, texts, toRows } from "./invitation_list.tsx";
import { invitationsPage, JoiningRule } from "./invitations.tsx";
import { readOfferOptions, termsFields } from "./offer_fields.tsx";

type InvitationLinkData = NonNullable<Awaited<ReturnType<typeof loadLink>>>;

async function loadLink(request: AdminRequest) {
  const found = await findManageable(request, "link");
  const [link] = found === null ? [] : await toRows(request, [found]);
  return link === undefined ? null : {
    link,
    options: await readOfferOptions(request),
    now: request.chat.clock.now(),
    linkJoining: getLinkJoining(request.chat, request.realm),
    joins: await listJoins(request, link.id),
  };
}

const save = form({
  action: "save",
  button: "Save changes",
  fields: termsFields,
  run: async (request, { role, defaults, channel, group }, submitted) => {
    const { chat, caller, t } = request;
    const options = await readOfferOptions(request);
    await updateInviteLink(chat, caller, {
      id: pathId(request),
      change: (offer) => {
        requireRevision(request, submitted, toStored(offer));
        return {
          role,
          include_realm_default_subscriptions: defaults,
          // Saving keeps the channels and groups that the form could not show.
          channel_ids: [...channel, ...listHidden(options.channel, offer.channel_ids)],
          group_ids: [...group, ...listHidden(options.group, offer.group_ids)],
        };
      },
    });
    return { flash: t("Link saved.") };
  },
});

/** Returns the terms of an offer that the form shows. */
function toStored(offer: InviteOffer) {
  const { role, channel_ids: channel, group_ids: group, include_realm_default_subscriptions: defaults } =
    offer;
  return { role, channel, group, defaults };
}

function listHidden(options: readonly Option[], ids: readonly number[]): readonly number[] {
  const shown = new Set(options.map(({ id }) => id));
  return ids.filter((id) => !shown.has(id));
}

const downloadQr = form({
  action: "qr",
  run: async (request) => {
    const link = await findManageable(request, "link");
    if (link === null) throw new AppError("NOT_FOUND", request.t(GONE));
    return toDownload(`invitation-link-${link.id}.svg`, "image/svg+xml", [toQrSvg(toQrPath(link.url))]);
  },
});

/** Renders the page of a reusable link: copy buttons, QR code, settings and revocation. */
export const invitationLinkPage = adminPage({
  path: "/admin/invitations/link/[id]",
  load: loadLink,
  title: ({ link }, t) => t("Reusable link {id}", { id: String(link.id) }),
  lede: ({ linkJoining }, t) => (
    <>
      {t("Anyone with this link can join. Share it with care.")} <JoiningRule rule={linkJoining} />
    </>
  ),
  above: [invitationsPage],
  actions: ({ data }) => (
    <Link class={QUIET_BUTTON} href={`/admin/invitations/link/${data.link.id}/revoke`}>
      {useAdmin().t("Revoke link")}
    </Link>
  ),
  shows: INVITES,
  forms: [save, downloadQr],
  view: ({ data }) => {
    const { t } = useAdmin();
    return (
      <>
        <Panel title={t("Link")}>
          <div class="grid gap-x-8 gap-y-6 sm:grid-cols-[minmax(0,1fr)_auto]">
            <TheLink data={data} />
            <div id="qr" class="grid content-start justify-items-start gap-2">
              <QrCode text={data.link.url} label={t("QR code of the link")} />
              <ActionButton action={downloadQr.action} fields={{}}>{t("Download QR code")}</ActionButton>
            </div>
          </div>
        </Panel>
        <JoinedPeople data={data} />
        <EditLink data={data} />
      </>
    );
  },
});

function TheLink({ data: { link, now } }: { data: InvitationLinkData }) {
  const { t } = useAdmin();
  const { offer, url } = link;
  const facts = {
    [t("Role")]: t(ROLE_TITLES[offer.role]),
    [t("Expires")]: <Expiry of={link} now={now} />,
    [t("Joined")]: <span id={COUNT}>{t(texts.joined, { count: link.joined })}</span>,
    [t("Created by")]: <bdi>{link.inviter}</bdi>,
    [t("Created")]: <RelativeTime time={offer.created_at} now={now} />,
    [t("Channels")]: <bdi>{link.channels}</bdi>,
  };
  return (
    <div class="grid content-start gap-4">
      <div>
        <p class="text-small text-soft">{t("Link")}</p>
        <code class="mt-1 block font-mono text-[0.95rem] leading-7 break-all select-all">{url}</code>
      </div>
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <button type="button" data-copy={url} class={`${PRIMARY_BUTTON} noscript:hidden`}>
          {t("Copy link")}
        </button>
        <LiveParts now={now} />
      </div>
      <dl class="grid grid-cols-2 gap-x-6 gap-y-3 text-small sm:grid-cols-3">
        {Object.entries(facts).map(([term, fact]) => (
          <div key={term} class="min-w-0">
            <dt class="text-soft">{term}</dt>
            <dd class="mt-0.5 break-words">{fact}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const HIDDEN_CHANNELS = {
  one: "{count} channel that you cannot add people to is also kept.",
  other: "{count} channels that you cannot add people to are also kept.",
};

function EditLink({ data: { link, options } }: { data: InvitationLinkData }) {
  const { t } = useAdmin();
  const stored = toStored(link.offer);
  const { length: count } = listHidden(options.channel, stored.channel);
  return (
    <section aria-labelledby="edit-title">
      <h2 id="edit-title" class="mb-4">{t("Edit link")}</h2>
      <Form
        of={save}
        stored={stored}
        options={options}
        look={QUIET_BUTTON}
        hidden={{ [REVISION_FIELD]: revisionOf(stored) }}
      >
        {(fields) => (
          <>
            <div class="grid items-start gap-4 sm:grid-cols-2">{Object.values(fields)}</div>
            {count > 0 && <p class="text-small text-soft">{t(HIDDEN_CHANNELS, { count })}</p>}
          </>
        )}
      </Form>
    </section>
  );
}

/** Number of changes of links among which people are found. */
const MAX_READ = 100;
const MAX_SHOWN = 10;

/** Lists the latest audit entries of people who joined by a link, latest first. */
async function listJoins({ chat, realm }: AdminRequest, linkId: number) {
  const query = { kind: "invite_link", cursor: null, limit: MAX_READ } as const;
  const { changes } = await listAuditRecords(chat, realm, query);
  return changes.filter(({ action, target }) => action === "invite_link_used" && target.id === linkId)
    .slice(0, MAX_SHOWN);
}

/** Ids of the elements that the island replaces; screen readers announce the first. */
const JOINED = "joined-people";
const COUNT = "joined-count";

/** Renders who joined by a link, while people arrive too. */
function JoinedPeople({ data: { joins, now } }: { data: InvitationLinkData }) {
  const { t, news } = useAdmin();
  return (
    <section aria-labelledby="joined-title" class="mb-9">
      <div id={JOINED} role="status">
        <h2 id="joined-title" class="mb-2">
          {joins.length === 0 ? t("Waiting for the first person") : t("Users who joined")}
        </h2>
        {joins.length === 0
          ? (
            <>
              <p class="text-soft noscript:hidden">
                {t("Share the link or the QR code. This page shows who joins as it happens.")}
              </p>
              <p class="hidden text-soft noscript:block">
                {t("Share the link or the QR code. Reload this page to see who joined.")}
              </p>
            </>
          )
          : (
            <>
              <ul class="mb-4 border-t border-rule">
                {joins.map(({ id, acting_user_id, target: { name }, time }) => (
                  <li
                    key={id}
                    class="flex flex-wrap items-baseline justify-between gap-x-6 border-b border-rule py-2"
                  >
                    <PossibleLink path={`/admin/users/${acting_user_id}`} look="font-medium">
                      {t("{name} joined", { name })}
                    </PossibleLink>
                    <span class="text-small text-soft">
                      <RelativeTime time={time} now={now} />
                    </span>
                  </li>
                ))}
              </ul>
              <p class="flex flex-wrap items-center gap-x-4 gap-y-2">
                <Link class={`${QUIET_BUTTON} no-underline`} href="/connect">{t("Connect an app")}</Link>
                <span class="text-soft">{t("Send the first message, and see it arrive.")}</span>
              </p>
            </>
          )}
      </div>
      {news !== undefined && <WatchJoins ids={[JOINED, COUNT]} position={news.position} />}
    </section>
  );
}
