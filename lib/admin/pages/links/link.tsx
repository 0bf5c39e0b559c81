import { BreakableText } from "@/components/BreakableText.tsx";
import { Link } from "@/components/Link.tsx";
import { QrCode } from "@/components/QrCode.tsx";
import { ShortLinkText } from "@/components/ShortLinkText.tsx";
import { ActionButton, ActionLink } from "@/components/admin/ActionButton.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { TextArea, TextInput } from "@/components/admin/fields.tsx";
import { type FormState, useFormState } from "@/components/admin/form_state.ts";
import CopyText from "@/islands/admin/stats/CopyText.tsx";
import { parseUtc } from "@/lib/core/days.ts";
import { AppError } from "@/lib/core/errors.ts";
import { LINK_LIMITS } from "@/lib/links/manage/properties.ts";
import { deleteLinks, updateLinks } from "@/lib/links/manage/update_links.ts";
import { getFoundLink } from "@/lib/links/search/find_links.ts";
import { DANGER_BUTTON } from "@/lib/ui/class_names.ts";
import { toPlainLink, toVisible } from "@/lib/ui/short_link.ts";
import { cutMiddle } from "@/lib/ui/cut_middle.ts";
import { type Done, FormRefusal } from "../../admin_page.ts";
import type { AdminRequest } from "../../admin_request.ts";
import { form } from "../../declare/form.tsx";
import { adminPage } from "../../declare/page.tsx";
import { useTexts } from "../../declare/texts.ts";
import type { FormFields } from "../../form_fields.ts";
import { linksPage, switchLink } from "./links.tsx";
import {
  linkActorOf,
  LinkCreatorName,
  linkPath,
  type ShownLink,
  StatusText,
  toShownLinks,
} from "./shown_link.tsx";
import { requireRevision, revisionOf } from "../../revision.ts";

const texts = {
  status: "Status",
  link: "Link",
  visits: "Visits",
  created: "Created",
  visitsOf: "{count} of {max}",
  disable: "Disable",
  enable: "Enable",
  remove: "Delete",
  copyShort: "Copy short link",
  copiedShort: "Short link copied.",
  copyEncoded: "Copy encoded link",
  copiedEncoded: "Encoded link copied.",
  leadsTo: "Destination",
  encoded: "Encoded link",
  qrSvg: "Download SVG",
  qrPng: "Download PNG",
  qrLabel: "QR code of the short link",
  viewStatistics: "View statistics",
  closed: {
    disabled: "This link is disabled and answers 410.",
    expired: "This link has expired and answers 410.",
    used_up: "This link has reached its maximum number of visits and answers 410.",
    blocked: "The host of this link is blocked. The link answers 410.",
  },
  properties: "Properties",
  titleField: "Title",
  note: "Note",
  noteHint: "Visitors of the link do not see it.",
  tags: "Tags",
  tagsHint: "Separated by commas, up to {count}.",
  expiresAt: "Expires (UTC)",
  expiresHint: "From this time on, the link answers 410. Leave it empty for never.",
  maxVisits: "Maximum visits",
  maxVisitsHint: "After this number of visits, the link answers 410. Leave it empty for no limit.",
  notTime: "Enter a date and a time.",
  notNumber: "Enter a whole number.",
  saved: "Changes saved.",
  deleteTitle: "Delete the short link to {name}?",
  deleteText: "The link answers 410 from now on, and its characters are never used for another URL.",
  keepVisits: "Keep its visits",
  keepVisitsHint: {
    one: "{count} visit stays in the totals and charts.",
    other: "{count} visits stay in the totals and charts.",
  },
  dropVisits: "Delete its visits",
  dropVisitsHint: {
    one: "{count} visit is removed from all totals and charts.",
    other: "{count} visits are removed from all totals and charts.",
  },
  visitsChoice: "Visits",
  deleteButton: "Delete link",
  deleted: "Link deleted.",
};

type LinkData = NonNullable<Awaited<ReturnType<typeof loadLink>>>;

async function loadLink(request: AdminRequest) {
  const found = await findPathLink(request);
  const [link] = found === null ? [] : await toShownLinks(request, [found]);
  if (link === undefined) return null;
  return {
    link,
    /** Time of expiry as its field has it: UTC without a zone. */
    expires: toField(link.expiresAt),
    revision: revisionOf(propertiesOf(link)),
  };
}

/** Returns the link in the page's path; null without one and for a deleted one. */
async function findPathLink({ ctx, services }: AdminRequest) {
  try {
    return await getFoundLink(services.links, ctx.params["short"] ?? "");
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

function propertiesOf({ title, note, tags, expiresAt, maxVisits }: ShownLink): unknown {
  return [title, note, tags, expiresAt, maxVisits];
}

async function saveLink(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { services: { links }, t, messages } = request;
  const data = await loadLink(request);
  if (data === null) throw new FormRefusal({ form: messages.common.gone });
  requireRevision(request, fields, propertiesOf(data.link));
  const patch = {
    title: fields.exact("title"),
    note: fields.exact("note"),
    tags: fields.exact("tags").split(","),
    expiresAt: readExpiry(request, fields, data),
    maxVisits: readMaxVisits(request, fields),
  };
  await updateLinks(links, { shorts: [data.link.short], patch }, linkActorOf(request));
  return { flash: t(texts.saved) };
}

/** A field that shows the stored time keeps its seconds. */
function readExpiry(
  { t }: AdminRequest,
  fields: FormFields,
  { link, expires }: LinkData,
): number | null {
  const text = fields.text("expires").trim();
  if (text === "") return null;
  if (text === expires) return link.expiresAt;
  const time = text.includes("T") ? parseUtc(text) : Number.NaN;
  if (Number.isNaN(time)) throw new FormRefusal({ expires: t(texts.notTime) });
  return time;
}

function readMaxVisits({ t }: AdminRequest, fields: FormFields): number | null {
  if (fields.text("max_visits").trim() === "") return null;
  const count = fields.int("max_visits");
  if (count === null) throw new FormRefusal({ max_visits: t(texts.notNumber) });
  return count;
}

function toField(time: number | null): string {
  return time === null ? "" : new Date(time).toISOString().slice(0, 16);
}

/** Returns the title of a link, or the beginning and end of its URL. */
function nameOf({ title, url }: ShownLink): string {
  return title === "" ? cutMiddle(toVisible(url), TITLE_CHARACTERS) : title;
}

const TITLE_CHARACTERS = 48;

/** Renders the page of a link: the link itself, its state, its QR code and its properties. */
export const linkPage = adminPage({
  path: "/admin/links/[short]",
  load: loadLink,
  title: ({ link }) => nameOf(link),
  above: [linksPage],
  forms: [
    {
      action: "save",
      run: saveLink,
      fields: { title: "title", note: "note", tags: "tags", expiresAt: "expires", maxVisits: "max_visits" },
    },
    { action: "disable", run: (request, fields) => switchLink(request, fields, true) },
    { action: "enable", run: (request, fields) => switchLink(request, fields, false) },
  ],
  view: ({ data }) => (
    <>
      <Card link={data.link} />
      <Properties data={data} />
    </>
  ),
});

function Card({ link }: { link: ShownLink }) {
  const { text } = useTexts(texts);
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
  const { text, t, formatter } = useTexts(texts);
  const visits = link.maxVisits === null
    ? formatter.number(link.visits)
    : t(text.visitsOf, { count: link.visits, max: link.maxVisits });
  const facts = [
    [
      text.leadsTo,
      <bdi key="url" class="wrap-anywhere">
        <BreakableText text={link.url} />
      </bdi>,
    ],
    [text.encoded, <code key="link" class="font-mono text-tiny break-all select-all">{link.link}</code>],
    [text.status, <StatusText key="status" link={link} />],
    [
      text.created,
      <span key="created" class="flex flex-wrap gap-x-2">
        {formatter.moment(link.createdAt)}
        {link.creator !== null && <LinkCreatorName creator={link.creator} />}
      </span>,
    ],
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

function SwitchAndDelete({ link: { short, isDisabled, url } }: { link: ShownLink }) {
  const { text } = useTexts(texts);
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

function Properties({ data }: { data: LinkData }) {
  const { text, t, messages } = useTexts(texts);
  const { link, revision } = data;
  const state = useFormState({ action: "save" });
  return (
    <section aria-labelledby="properties-title" class="max-w-[40rem]">
      <h2 id="properties-title" class="mb-4">{text.properties}</h2>
      <AdminForm state={state} button={messages.common.save} hidden={{ seen: revision }}>
        <TextInput
          state={state}
          name="title"
          label={text.titleField}
          stored={link.title}
          maxLength={LINK_LIMITS.title}
        />
        <TextInput
          state={state}
          name="tags"
          label={text.tags}
          hint={t(text.tagsHint, { count: LINK_LIMITS.tags })}
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
  const { text } = useTexts(texts);
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

const CRUMB_CHARACTERS = 20;

const remove = form({
  action: "delete",
  run: async (request, _, submitted) => {
    const { ctx, services: { links }, t, messages } = request;
    const shorts = [ctx.params["short"] ?? ""];
    const areVisitsDeleted = submitted.text("visits") === "delete";
    const { missing } = await deleteLinks(links, { shorts, areVisitsDeleted }, linkActorOf(request));
    if (missing.length > 0) throw new FormRefusal({ form: messages.common.gone });
    return { flash: t(texts.deleted), to: "/admin/links" };
  },
});

/** The page that confirms deleting a link, with the choice to keep its visits. */
export const deleteLinkPage = adminPage({
  path: "/admin/links/[short]/delete",
  load: loadLink,
  title: ({ link }, t) => t(texts.deleteTitle, { name: nameOf(link) }),
  above: ({ link }) => [
    linksPage,
    { path: linkPath(link.short), name: cutMiddle(nameOf(link), CRUMB_CHARACTERS) },
  ],
  forms: [remove],
  view: ({ data: { link } }) => {
    const { text, messages } = useTexts(texts);
    return (
      <div class="max-w-[58ch]">
        <p class="mb-2">{text.deleteText}</p>
        <p class="mb-6">{messages.common.cannotUndo}</p>
        <AdminForm
          state={useFormState(remove)}
          button={text.deleteButton}
          look={DANGER_BUTTON}
          beside={<CancelLink to={linkPath(link.short)} />}
        >
          <VisitsChoice count={link.visits} />
        </AdminForm>
      </div>
    );
  },
});

function VisitsChoice({ count }: { count: number }) {
  const { text, t } = useTexts(texts);
  const choices = [
    { value: "keep", label: text.keepVisits, hint: t(text.keepVisitsHint, { count }) },
    { value: "delete", label: text.dropVisits, hint: t(text.dropVisitsHint, { count }) },
  ];
  return (
    <fieldset class="grid gap-y-2">
      <legend class="mb-1.5 text-small font-strong">{text.visitsChoice}</legend>
      {choices.map(({ value, label, hint }) => (
        <label key={value} class="flex min-h-9 items-start gap-2.5">
          <input
            type="radio"
            name="visits"
            value={value}
            defaultChecked={value === "keep"}
            class="mt-0.5 size-5 flex-none accent-ink"
          />
          <span class="grid">
            <span class="text-small font-strong">{label}</span>
            <span class="text-small text-soft">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
