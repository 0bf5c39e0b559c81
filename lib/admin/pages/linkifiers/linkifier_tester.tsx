import { useAdmin } from "@/components/admin/admin_view.ts";
import { Fragment } from "preact";
import { TextArea, TextInput } from "@/components/admin/fields.tsx";
import type { FormState } from "@/components/admin/form_state.ts";
import { Link } from "@/components/Link.tsx";
import {
  type CandidateLink,
  type PreviewLink,
  reverseLinkifier,
} from "@/lib/chat/messages/linkifiers/model/validate_linkifier.ts";
import { type LinkifierPreview, MATCHES } from "./linkifier_preview.ts";

/** Maximum number of matches that are described. */
const MAX_FOUND = 20;

interface LinkifierTesterProps {
  readonly state: FormState;
  /** The texts of the page's address. */
  readonly stored: { readonly sample: string; readonly address: string };
  readonly preview: LinkifierPreview | null;
}

/** Renders the linkifier tester: a sample message, its result, and a URL to match in reverse. */
export function LinkifierTester({ state, stored, preview }: LinkifierTesterProps) {
  const { t } = useAdmin();
  return (
    <section
      aria-labelledby="try-title"
      class="grid min-w-0 content-start gap-4 [font-variant-ligatures:none]"
    >
      <h2 id="try-title">{t("Try it")}</h2>
      <TextArea
        state={state}
        name="sample"
        label={t("Message")}
        hint={t("Nothing is sent or saved. If empty, the example text is used.")}
        maxLength={2000}
        stored={stored.sample}
      />
      <Result preview={preview} />
      <div class="border-t border-rule pt-4">
        <TextInput
          state={state}
          name="address"
          label={t("Pasted URL")}
          hint={<Outcome preview={preview} />}
          stored={stored.address}
          isMono
        />
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
  const { t } = useAdmin();
  const isIdle = preview === null || preview.address === "";
  const short = isIdle ? null : reverseLinkifier(preview.fields, preview.address);
  const outcome = isIdle
    ? t("Shows the short text that replaces it.")
    : preview.fields.reverse_template === null
    ? t("Fill in the reverse template first.")
    : short === null
    ? t("No match. The URL is pasted unchanged.")
    : t("Becomes {text}", { text: short });
  return (
    <span id="address-outcome" role="status">
      <bdi class={`break-words ${isIdle ? "" : "font-medium text-ink"}`}>{outcome}</bdi>
    </span>
  );
}

function Result({ preview }: Pick<LinkifierTesterProps, "preview">) {
  const { t } = useAdmin();
  const { sample = "", links = [], candidates = [], problems = [], isReadable = false } = preview ?? {};
  const more = candidates.length - MAX_FOUND;
  const count = candidates.length;
  const summary = !isReadable || sample === ""
    ? ""
    : count === 0
    ? t("The pattern does not match anything in this message.")
    : t(MATCHES, { count });
  return (
    <div id="linkifier-result" aria-live="polite" class="grid min-w-0 gap-3">
      {sample !== "" && (
        <p
          dir="auto"
          role="group"
          aria-label={t("Message with links")}
          class="max-h-64 overflow-y-auto border-s-2 border-rule py-0.5 ps-3 break-words whitespace-pre-wrap"
        >
          <LinkedText text={sample} links={links} />
        </p>
      )}
      <p class="text-small text-soft">
        {preview === null ? t("Enter a pattern and a URL template to see the links.") : summary}
      </p>
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
      {more > 0 && <p class="text-small text-soft">{t("and {count} more", { count: more })}</p>}
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
  const { t } = useAdmin();
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
          <bdi>
            {t("Not linked by this linkifier: {pattern} comes first and matches this text.", {
              pattern: overriddenBy.pattern,
            })}
          </bdi>
        </p>
      )}
    </li>
  );
}
