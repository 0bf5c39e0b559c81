import type { ComponentChildren } from "preact";
import { useCopy } from "@/lib/client/copy.ts";
import { FIELD_LABEL, PRIMARY_BUTTON, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { toQrPath, toQrSvg } from "@/lib/ui/qr_path.ts";
import { type ShortLink, splitShortLink, toPlainLink } from "@/lib/ui/short_link.ts";
import { BreakableText } from "../BreakableText.tsx";
import { CodePointList, QrCode, ShortLinkText } from "../ShortLinkText.tsx";
import { Link } from "../Link.tsx";

interface CreatedLinkProps extends ShortLink {
  /** Long URL that the link resolves to. */
  readonly url: string;
}

/** Renders a short link that was just created, with copy buttons, QR code and the list of its characters. */
export function CreatedLink({ short, link, url }: CreatedLinkProps) {
  const { statsPath } = splitShortLink({ link, short });
  const code = toQrPath(link);
  return (
    <section aria-labelledby="made-title" class="mt-7 border-t border-rule pt-6">
      <h2 id="made-title">Your short link</h2>
      <div class="mt-4 grid gap-x-8 gap-y-6 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div class="grid content-start gap-5">
          <ShortLinkText link={link} short={short} />
          <LinkField link={link} short={short} />
          <CopyButtons link={link} short={short} />
          <dl class="grid gap-4 text-small">
            <Fact term="Destination">
              <Link class="link wrap-anywhere" href={url} rel="noreferrer">
                <BreakableText text={url} />
              </Link>
            </Fact>
            <Fact term="Encoded link, for programs that remove invisible characters">
              <Link class="link font-mono break-all select-all" href={link}>{link}</Link>
            </Fact>
          </dl>
        </div>
        <div class="grid content-start gap-1">
          <QrCode text={link} label="QR code of the short link" code={code} />
          <Link
            class="link inline-flex min-h-9 items-center text-small font-medium"
            href={`data:image/svg+xml,${encodeURIComponent(toQrSvg(code))}`}
            download="short-link.svg"
          >
            Download QR code
          </Link>
        </div>
      </div>
      <details class="mt-5 text-small">
        <summary class="min-h-6 w-fit font-strong">Show invisible characters</summary>
        <CodePointList text={short} />
      </details>
      <p class="mt-4 text-small">
        <Link class="link" href={statsPath}>Visits of this link as JSON</Link>
      </p>
    </section>
  );
}

/** Renders buttons that copy a short link as it is or encoded, and announce it; hidden without JavaScript. */
function CopyButtons({ link, short }: ShortLink) {
  const { outcome, copy } = useCopy();
  return (
    <div class="flex flex-wrap items-center gap-x-3 gap-y-2 noscript:hidden">
      <button
        type="button"
        class={`${PRIMARY_BUTTON} grow sm:grow-0`}
        onClick={() => copy(toPlainLink({ link, short }), "Short link copied")}
      >
        Copy short link
      </button>
      <button
        type="button"
        class={`${QUIET_BUTTON} grow sm:grow-0`}
        onClick={() => copy(link, "Encoded link copied")}
      >
        Copy encoded link
      </button>
      <span role="status" class="min-h-5 basis-full text-small sm:basis-auto font-medium text-good">
        {outcome.value}
      </span>
    </div>
  );
}

/** Renders the link as text to select, drag and copy, also without JavaScript. */
function LinkField(props: ShortLink) {
  return (
    <div>
      <label for="short-link" class={FIELD_LABEL}>Short link to copy</label>
      <input
        id="short-link"
        readOnly
        value={toPlainLink(props)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        class={`${TEXT_FIELD} mt-1.5`}
      />
      <p class="mt-1 text-small text-soft">It ends with the invisible characters. Copy all of it.</p>
    </div>
  );
}

function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div>
      <dt class="text-soft">{term}</dt>
      <dd class="mt-0.5">{children}</dd>
    </div>
  );
}
