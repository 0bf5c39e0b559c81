import type { ComponentChildren } from "preact";
import { splitShortLink } from "@/lib/ui/short_link.ts";
import { CopyButtons } from "./CopyButtons.tsx";
import { CodePointList, InvisibleText } from "../InvisibleText.tsx";
import { QrCode } from "../QrCode.tsx";
import { Link } from "../Link.tsx";

interface CreatedLinkProps {
  readonly short: string;
  /** Absolute short link, percent-encoded. */
  readonly link: string;
  /** Long URL that the link resolves to. */
  readonly url: string;
}

/** Renders a short link that was just created, with copy buttons, QR code and the list of its characters. */
export function CreatedLink({ short, link, url }: CreatedLinkProps) {
  const { visible, statsPath } = splitShortLink(link, short);
  return (
    <section aria-labelledby="made-title" class="mt-7 border-t border-rule pt-6">
      <h2 id="made-title">Your short link</h2>
      <div class="mt-4 grid gap-x-8 gap-y-6 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div class="grid content-start gap-5">
          <p class="text-lede leading-9">
            <span class="font-serif text-[1.7rem] tracking-[-0.02em] break-all">{visible}</span>{" "}
            <InvisibleText text={short} />
          </p>
          <CopyButtons link={link} short={short} />
          <dl class="grid gap-4 text-small">
            <Fact term="Destination">
              <Link class="link break-all" href={url} rel="noreferrer">{url}</Link>
            </Fact>
            <Fact term="Encoded link, for programs that remove invisible characters">
              <Link class="link font-mono break-all select-all" href={link}>{link}</Link>
            </Fact>
          </dl>
        </div>
        <QrCode text={link} label="QR code of the short link" />
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

function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div>
      <dt class="text-soft">{term}</dt>
      <dd class="mt-0.5">{children}</dd>
    </div>
  );
}
