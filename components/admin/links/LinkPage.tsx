import CopyText from "@/islands/admin/stats/CopyText.tsx";
import { BreakableText } from "@/components/BreakableText.tsx";
import { ShortLinkText } from "@/components/ShortLinkText.tsx";
import { QrCode } from "@/components/QrCode.tsx";
import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { LinkData } from "@/lib/admin/links/link_page.ts";
import type { ShownLink } from "@/lib/admin/links/shown_link.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { toPlainLink, toVisible } from "@/lib/ui/short_link.ts";
import { Link } from "../../Link.tsx";
import { ActionButton, ActionLink } from "../ActionButton.tsx";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { TextArea, TextInput } from "../fields.tsx";
import { type FormState, formState } from "../form_state.ts";
import { LinkCreatorName } from "./LinkCreatorName.tsx";
import { StatusText } from "./StatusText.tsx";

const TITLE_CHARACTERS = 48;

/** Renders the page of a link: the link itself, its state, its QR code and its properties. */
export function LinkPage({ data, refused }: AdminPageData<LinkData>) {
  const { messages } = useAdmin();
  const { link } = data;
  return (
    <>
      <AdminHeading
        title={link.title === "" ? cutMiddle(toVisible(link.url), TITLE_CHARACTERS) : link.title}
        above={[{ path: "/admin/links", name: messages.links.title }]}
      />
      <Card link={link} />
      <Properties data={data} refused={refused} />
    </>
  );
}

function Card({ link }: { link: ShownLink }) {
  const { messages } = useAdmin();
  const text = messages.links;
  const { short, status } = link;
  const path = encodeURIComponent(short);
  const look = "link inline-flex min-h-9 items-center text-small font-medium";
  return (
    <section
      aria-label={text.link}
      class="mb-9 grid gap-x-10 gap-y-6 border-y border-rule py-6 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div class="grid content-start gap-5">
        {status !== "active" && <p class="font-medium text-accent">{text.closed[status]}</p>}
        <ShortLinkText link={link.link} short={short} />
        <div class="flex flex-wrap items-center gap-x-3 gap-y-2">
          <CopyText text={toPlainLink(link)} label={text.copyShort} done={text.copiedShort} />
          <CopyText text={link.link} label={text.copyEncoded} done={text.copiedEncoded} />
        </div>
        <Facts link={link} />
        <SwitchAndDelete link={link} />
      </div>
      <div class="grid content-start gap-1">
        <QrCode text={link.link} label={text.qrLabel} />
        <Link class={look} href={`/admin/links/${path}/qr?format=svg`} download>{text.qrSvg}</Link>
        <Link class={look} href={`/admin/links/${path}/qr?format=png`} download>{text.qrPng}</Link>
      </div>
    </section>
  );
}

function Facts({ link }: { link: ShownLink }) {
  const { messages, formatter } = useAdmin();
  const text = messages.links;
  const visits = link.maxVisits === null
    ? formatter.number(link.visits)
    : formatter.t(text.visitsOf, { count: link.visits, max: link.maxVisits });
  const facts = [
    [
      text.leadsTo,
      <bdi key="url" class="wrap-anywhere">
        <BreakableText text={link.url} />
      </bdi>,
    ],
    [text.encoded, <code key="link" class="font-mono text-tiny break-all select-all">{link.link}</code>],
    [text.status, <StatusText key="status" link={link} />],
    [text.created, <Created key="created" link={link} />],
    [
      text.visits,
      <span key="visits" class="flex flex-wrap gap-x-4">
        {visits}
        <Link class="link" href={`/admin/stats/${encodeURIComponent(link.short)}`}>
          {text.viewStatistics}
        </Link>
      </span>,
    ],
  ] as const;
  return (
    <dl class="grid gap-y-3 text-small">
      {facts.map(([term, value]) => (
        <div key={term} class="min-w-0">
          <dt class="text-soft">{term}</dt>
          <dd class="mt-0.5">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Created({ link: { createdAt, creator } }: { link: ShownLink }) {
  const { formatter } = useAdmin();
  return (
    <span class="flex flex-wrap gap-x-2">
      {formatter.moment(createdAt)}
      {creator !== null && <LinkCreatorName creator={creator} />}
    </span>
  );
}

function SwitchAndDelete({ link: { short, isDisabled, url } }: { link: ShownLink }) {
  const { messages } = useAdmin();
  const text = messages.links;
  return (
    <div class="flex flex-wrap items-center gap-x-5">
      <ActionButton action={isDisabled ? "enable" : "disable"} fields={{ short }}>
        {isDisabled ? text.enable : text.disable}
      </ActionButton>
      <ActionLink href={`/admin/links/${encodeURIComponent(short)}/delete`} about={toVisible(url)}>
        {text.remove}
      </ActionLink>
    </div>
  );
}

function Properties({ data, refused }: AdminPageData<LinkData>) {
  const { messages, formatter } = useAdmin();
  const text = messages.links;
  const { link, limits, revision } = data;
  const state = formState(refused, "save");
  return (
    <section aria-labelledby="properties-title" class="max-w-[40rem]">
      <h2 id="properties-title" class="mb-4">{text.properties}</h2>
      <AdminForm state={state} button={messages.common.save} hidden={{ seen: revision }}>
        <TextInput
          state={state}
          name="title"
          label={text.titleField}
          stored={link.title}
          maxLength={limits.title}
        />
        <TextInput
          state={state}
          name="tags"
          label={text.tags}
          hint={formatter.t(text.tagsHint, { count: limits.tags })}
          stored={link.tags.join(", ")}
        />
        <TextArea state={state} name="note" label={text.note} hint={text.noteHint} stored={link.note} />
        <ClosingFields state={state} data={data} />
      </AdminForm>
    </section>
  );
}

/** Renders the fields that close the link by itself. */
function ClosingFields({ state, data: { link, expires } }: { state: FormState; data: LinkData }) {
  const { messages } = useAdmin();
  const text = messages.links;
  return (
    <>
      <TextInput
        state={state}
        name="expires"
        type="datetime-local"
        label={text.expiresAt}
        hint={text.expiresHint}
        stored={expires}
      />
      <TextInput
        state={state}
        name="max_visits"
        type="number"
        label={text.maxVisits}
        hint={text.maxVisitsHint}
        stored={link.maxVisits === null ? "" : String(link.maxVisits)}
      />
    </>
  );
}
