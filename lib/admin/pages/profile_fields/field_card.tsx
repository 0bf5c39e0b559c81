import { ROLE_TITLES } from "@/lib/ui/texts.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import type { ProfileFieldInput } from "@/lib/chat/people/profile_fields/model/check_value.ts";
import { isUrl, USERNAME } from "@/lib/chat/people/profile_fields/model/field_data.ts";
import {
  FIELD_TYPE,
  MAX_IN_SUMMARY,
  type ProfileFieldRecord,
} from "@/lib/chat/people/profile_fields/model/profile_field.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import { accountOf, type FieldPageData, listChoices, toInput } from "./field_data.ts";

/** Returns why no more fields fit on the card; null while they do. */
export function useFullCard(fields: readonly ProfileFieldRecord[]): string | null {
  const { t, formatter } = useAdmin();
  const names = fields.filter((field) => field.display_in_profile_summary).map(({ name }) => name);
  return names.length < MAX_IN_SUMMARY
    ? null
    : t("{names} are on the card, which shows up to two fields. Remove one to show another.", {
      names: formatter.list(names),
    });
}

/** A field on the viewer's own card; only external accounts have an address. */
type CardEntry = ReturnType<typeof toEntry>;

/** `now` is in milliseconds since 1970 UTC. */
function toEntry(input: ProfileFieldInput, now: number, { t, formatter, user }: AdminSession) {
  const { known, pattern } = accountOf(input);
  const account = t("username");
  const examples: Readonly<Record<number, string>> = {
    [FIELD_TYPE.longText]: t("Several lines of text, up to the character limit."),
    [FIELD_TYPE.choice]: listChoices(input.field_data)[0]?.text || t("A choice"),
    [FIELD_TYPE.date]: formatter.date(now),
    [FIELD_TYPE.link]: "https://example.com",
    [FIELD_TYPE.people]: user.full_name,
    [FIELD_TYPE.externalAccount]: account,
    [FIELD_TYPE.pronouns]: t("they/them"),
  };
  const parts = (known?.url_pattern ?? pattern).split(USERNAME);
  const address = parts.join(account);
  return {
    label: known?.name ?? (input.name.trim() || t("Label")),
    value: examples[input.field_type] ?? t("Short text"),
    address: parts.length === 2 && isUrl(address) ? address : "",
    hint: known?.hint ?? input.hint.trim(),
    isOnCard: input.display_in_profile_summary,
  };
}

/** Renders the card of the viewer with a field on it, or the field below the card if it is not displayed there. */
export function FieldCard(
  { data: { field, others, now }, input }: { data: FieldPageData; input: ProfileFieldInput },
) {
  const admin = useAdmin();
  const { t, user: { full_name, role } } = admin;
  const entry = toEntry(input, now, admin);
  const onCard = others.filter((other) => other.display_in_profile_summary);
  const entries = onCard.map((other) => toEntry(toInput(other), now, admin));
  const position = onCard.filter(({ order }) => order < field.order).length;
  const lines = entry.isOnCard ? entries.toSpliced(position, 0, entry) : entries;
  return (
    <div id="field-card">
      <h2 class="mb-3 text-lede">{t("Preview")}</h2>
      <div class="rounded-panel border border-rule bg-raised p-5">
        <p class="font-serif text-h2 break-words">
          <bdi>{full_name}</bdi>
        </p>
        <p class="text-small text-soft">{t(ROLE_TITLES[role])}</p>
        {lines.length > 0 && <CardLines lines={lines} marked={entry} look="mt-3 border-t border-rule pt-3" />}
      </div>
      {!entry.isOnCard && (
        <>
          <p class="mt-4 text-small text-soft">{t("Not on the card, but in the full profile:")}</p>
          <CardLines lines={[entry]} marked={entry} look="mt-2 border-s border-rule ps-4" />
        </>
      )}
      {entry.hint !== "" && (
        <p class="mt-4 text-small text-soft">
          {t("Hint:")} <bdi class="text-ink">{entry.hint}</bdi>
        </p>
      )}
    </div>
  );
}

interface CardLinesProps {
  readonly lines: readonly CardEntry[];
  /** The entry of the edited field, which stands out. */
  readonly marked: CardEntry;
  readonly look: string;
}

function CardLines({ lines, marked, look }: CardLinesProps) {
  return (
    <dl class={`grid gap-3 ${look}`}>
      {lines.map((line, at) => (
        <div key={at} class={line === marked ? "" : "text-soft"}>
          <dt class="text-small text-soft">
            <bdi>{line.label}</bdi>
          </dt>
          <dd>
            <bdi class={line.address === "" ? "" : "link"}>{line.value}</bdi>
            {line.address !== "" && (
              <span dir="ltr" class="block font-mono text-tiny break-all text-soft">{line.address}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
