import { Fragment } from "preact";
import { FieldFrame, getAriaAttributes } from "@/components/admin/FieldFrame.tsx";
import { Link } from "@/components/Link.tsx";
import {
  type CandidateLink,
  type PreviewLink,
  reverseLinkifier,
} from "@/lib/chat/messages/linkifiers/model/validate_linkifier.ts";
import { TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { LINKIFIER_TEXTS, type LinkifierPreview } from "./linkifier_preview.ts";

const texts = {
  ...LINKIFIER_TEXTS,
  title: "Try it",
  sample: "Message",
  sampleHint: "Nothing is sent or saved. If empty, the example text is used.",
  address: "Pasted URL",
  addressHint: "Shows the short text that replaces it.",
  idle: "Enter a pattern and a URL template to see the links.",
  result: "Message with links",
  nothingFound: "The pattern does not match anything in this message.",
  more: { one: "and {count} more", other: "and {count} more" },
  lost: "Not linked by this linkifier: {pattern} comes first and matches this text.",
  short: "Becomes {text}",
  noShort: "No match. The URL is pasted unchanged.",
  noReverse: "Fill in the reverse template first.",
};

/** Maximum number of matches that are described. */
const MAX_FOUND = 20;

interface LinkifierTesterProps {
  /** The texts that were entered. */
  readonly sample: string;
  readonly address: string;
  readonly preview: LinkifierPreview | null;
}

/** Renders the linkifier tester: a sample message, its result, and a URL to match in reverse. */
export function LinkifierTester({ sample, address, preview }: LinkifierTesterProps) {
  const { text } = useTexts(texts);
  const notes = { id: "sample", hint: text.sampleHint, problem: undefined };
  return (
    <section
      aria-labelledby="try-title"
      class="grid min-w-0 content-start gap-4 [font-variant-ligatures:none]"
    >
      <h2 id="try-title">{text.title}</h2>
      <FieldFrame {...notes} label={text.sample}>
        <textarea
          {...getAriaAttributes(notes)}
          name="sample"
          dir="auto"
          rows={3}
          maxLength={2000}
          class={TEXT_FIELD}
          defaultValue={sample}
        />
      </FieldFrame>
      <Result preview={preview} />
      <div class="border-t border-rule pt-4">
        <FieldFrame id="address" label={text.address} problem={undefined}>
          <input
            id="address"
            name="address"
            dir="auto"
            autoComplete="off"
            spellcheck={false}
            aria-describedby="address-outcome"
            class={`${TEXT_FIELD} font-mono text-small`}
            defaultValue={address}
          />
          <Outcome preview={preview} />
        </FieldFrame>
      </div>
    </section>
  );
}

/** Renders the parts of the tester that depend on what was entered. */
export function TesterParts({ preview }: Pick<LinkifierTesterProps, "preview">) {
  return (
    <>
      <Result preview={preview} />
      <Outcome preview={preview} />
    </>
  );
}

/** Renders the short text that replaces the pasted URL, or the reason that there is none. */
function Outcome({ preview }: Pick<LinkifierTesterProps, "preview">) {
  const { text, t } = useTexts(texts);
  const outcome = preview === null || preview.address === "" ? null : toShort(preview);
  return (
    <p id="address-outcome" role="status" class="text-small text-soft">
      <bdi class={`break-words ${outcome === null ? "" : "font-medium text-ink"}`}>
        {outcome ?? text.addressHint}
      </bdi>
    </p>
  );

  function toShort({ fields, address }: LinkifierPreview): string {
    if (fields.reverse_template === null) return text.noReverse;
    const short = reverseLinkifier(fields, address);
    return short === null ? text.noShort : t(text.short, { text: short });
  }
}

function Result({ preview }: Pick<LinkifierTesterProps, "preview">) {
  const { text, t } = useTexts(texts);
  const { sample = "", links = [], candidates = [], problems = [], isReadable = false } = preview ?? {};
  const more = candidates.length - MAX_FOUND;
  const count = candidates.length;
  const summary = !isReadable || sample === ""
    ? ""
    : count === 0
    ? text.nothingFound
    : t(text.placesFound, { count });
  return (
    <div id="linkifier-result" aria-live="polite" class="grid min-w-0 gap-3">
      {sample !== "" && (
        <p
          dir="auto"
          role="group"
          aria-label={text.result}
          class="max-h-64 overflow-y-auto border-s-2 border-rule py-0.5 ps-3 break-words whitespace-pre-wrap"
        >
          <LinkedText text={sample} links={links} />
        </p>
      )}
      <p class="text-small text-soft">{preview === null ? text.idle : summary}</p>
      <div
        id="linkifier-problems"
        class="grid gap-3 empty:hidden"
        data-invalid={problems.map(({ field }) => field).join(" ")}
      >
        {problems.map(({ message }) => (
          <p key={message} class="text-small font-medium break-words text-accent">{message}</p>
        ))}
      </div>
      {count > 0 && (
        <ul class="grid gap-3">
          {candidates.slice(0, MAX_FOUND).map((link, at) => <Match key={at} sample={sample} link={link} />)}
        </ul>
      )}
      {more > 0 && <p class="text-small text-soft">{t(text.more, { count: more })}</p>}
    </div>
  );
}

/** Renders a text with its links; those of the linkifier under test, which is not stored, stand out. */
export function LinkedText({ text, links }: { text: string; links: readonly PreviewLink[] }) {
  return (
    <>
      {links.map(({ start, end, url, linkifier }, at) => (
        <Fragment key={at}>
          {text.slice(links[at - 1]?.end ?? 0, start)}
          <GeneratedLink url={url} isStrong={linkifier === null}>{text.slice(start, end)}</GeneratedLink>
        </Fragment>
      ))}
      {text.slice(links.at(-1)?.end ?? 0)}
    </>
  );
}

interface GeneratedLinkProps {
  readonly url: string;
  /** Whether the link was made by the linkifier under test. */
  readonly isStrong?: boolean;
  readonly children: string;
}

/** Renders a link generated by a linkifier; it opens in a new tab. */
export function GeneratedLink({ url, isStrong = false, children }: GeneratedLinkProps) {
  return (
    <Link
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={url}
      class={`link break-words ${isStrong ? "rounded-small bg-wash px-0.5 font-strong text-accent" : ""}`}
    >
      {children}
    </Link>
  );
}

/** Renders a match of the linkifier under test: its link, its groups, and the linkifier that takes it instead. */
function Match({ sample, link }: { sample: string; link: CandidateLink }) {
  const { text, t } = useTexts(texts);
  const { start, end, url, groups, overriddenBy } = link;
  const isLost = overriddenBy !== null;
  return (
    <li class="grid min-w-0 gap-0.5 border-t border-rule pt-3 text-small">
      <p class="flex flex-wrap gap-x-2 font-mono">
        <bdi class={`break-all ${isLost ? "line-through" : ""}`}>{sample.slice(start, end)}</bdi>
        <span aria-hidden="true" class="text-soft rtl:-scale-x-100">→</span>
        <bdi class={`min-w-0 break-all ${isLost ? "text-soft line-through" : ""}`}>{url}</bdi>
      </p>
      {groups.size > 0 && (
        <dl class="flex flex-wrap gap-x-4 font-mono text-soft">
          {[...groups].map(([name, value]) => (
            <div key={name} class="flex min-w-0 gap-x-1.5">
              <dt>{name}</dt>
              <dd class="min-w-0 break-all text-ink">
                <span aria-hidden="true" class="text-soft">=</span> <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {isLost && (
        <p class="break-words text-accent">
          <bdi>{t(text.lost, { pattern: overriddenBy.pattern })}</bdi>
        </p>
      )}
    </li>
  );
}
