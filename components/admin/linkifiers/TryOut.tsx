import type { LinkifierPreviewView, PreviewMatch, PreviewPiece } from "@/lib/admin/linkifier_preview.ts";
import { FIELD_HINT, FIELD_LABEL, TEXT_FIELD } from "@/lib/ui/class_names.ts";

/** What the place where a linkifier is tried says. */
export interface TryOutWords {
  readonly title: string;
  readonly sample: string;
  readonly sampleHint: string;
  readonly address: string;
  readonly addressHint: string;
  readonly idle: string;
  readonly result: string;
}

/** Everything that is shown where a linkifier is tried. */
export interface TryOutProps {
  readonly words: TryOutWords;
  /** What stands in the fields at first. */
  readonly sample: string;
  readonly address: string;
  readonly preview: LinkifierPreviewView | null;
  /** Why there is no answer; empty where there is one. */
  readonly failure?: string;
}

/** Where a linkifier is tried: a message, what becomes of it, and an address to go back from. */
export function TryOut({ words, sample, address, preview, failure = "" }: TryOutProps) {
  return (
    <section
      aria-labelledby="try-title"
      class="grid min-w-0 content-start gap-4 [font-variant-ligatures:none]"
    >
      <h2 id="try-title">{words.title}</h2>
      <div class="grid gap-y-1.5">
        <label for="sample" class={FIELD_LABEL}>{words.sample}</label>
        <textarea
          id="sample"
          name="sample"
          dir="auto"
          rows={3}
          maxLength={2000}
          aria-describedby="sample-hint"
          class={TEXT_FIELD}
          defaultValue={sample}
        />
        <p id="sample-hint" class={FIELD_HINT}>{words.sampleHint}</p>
      </div>
      <Result words={words} preview={preview} />
      <AddressField words={words} address={address} outcome={preview?.reverse ?? null} />
      <p role="alert" class="text-small font-medium text-accent empty:hidden">{failure}</p>
    </section>
  );
}

interface AddressFieldProps extends Pick<TryOutProps, "words" | "address"> {
  /** What the address becomes; null while there is none. */
  readonly outcome: string | null;
}

function AddressField({ words, address, outcome }: AddressFieldProps) {
  return (
    <div class="grid gap-y-1.5 border-t border-rule pt-4">
      <label for="address" class={FIELD_LABEL}>{words.address}</label>
      <input
        id="address"
        name="address"
        dir="auto"
        autoComplete="off"
        spellcheck={false}
        aria-describedby="address-hint"
        class={`${TEXT_FIELD} font-mono text-small`}
        defaultValue={address}
      />
      <p id="address-hint" role="status" class={outcome === null ? FIELD_HINT : "text-small font-medium"}>
        <bdi class="break-words">{outcome ?? words.addressHint}</bdi>
      </p>
    </div>
  );
}

function Result({ words, preview }: Pick<TryOutProps, "words" | "preview">) {
  const { pieces = [], problems = [], found = [], summary = "", more = null } = preview ?? {};
  return (
    <div class="grid min-w-0 gap-3">
      {pieces.length > 0 && (
        <p
          dir="auto"
          role="group"
          aria-label={words.result}
          class="max-h-64 overflow-y-auto border-s-2 border-rule py-0.5 ps-3 break-words whitespace-pre-wrap"
        >
          {pieces.map((piece, at) => <Piece key={at} piece={piece} />)}
        </p>
      )}
      <p role="status" class="text-small text-soft">
        {preview === null ? words.idle : summary}
      </p>
      {problems.map((problem) => (
        <p key={problem} class="text-small font-medium break-words text-accent">{problem}</p>
      ))}
      {found.length > 0 && (
        <ul class="grid gap-3">
          {found.map((match, at) => <Match key={at} match={match} />)}
        </ul>
      )}
      {more !== null && <p class="text-small text-soft">{more}</p>}
    </div>
  );
}

function Piece({ piece: { text, url, isTried } }: { piece: PreviewPiece }) {
  if (url === null) return <>{text}</>;
  return <MadeLink url={url} isStrong={isTried}>{text}</MadeLink>;
}

interface MadeLinkProps {
  readonly url: string;
  /** Whether it is what one looks for here. */
  readonly isStrong?: boolean;
  readonly children: string;
}

/** A link as a linkifier makes it; it leads away from here. */
export function MadeLink({ url, isStrong = false, children }: MadeLinkProps) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={url}
      class={`link break-words ${isStrong ? "rounded-small bg-wash px-0.5 font-strong text-accent" : ""}`}
    >
      {children}
    </a>
  );
}

function Match({ match: { text, url, groups, lost } }: { match: PreviewMatch }) {
  return (
    <li class="grid min-w-0 gap-0.5 border-t border-rule pt-3 text-small">
      <p class="flex flex-wrap gap-x-2 font-mono">
        <bdi class={`break-all ${lost === null ? "" : "line-through"}`}>{text}</bdi>
        <span aria-hidden="true" class="text-soft rtl:-scale-x-100">→</span>
        <bdi class={`min-w-0 break-all ${lost === null ? "" : "text-soft line-through"}`}>{url}</bdi>
      </p>
      {groups.length > 0 && (
        <dl class="flex flex-wrap gap-x-4 font-mono text-soft">
          {groups.map(({ name, value }) => (
            <div key={name} class="flex min-w-0 gap-x-1.5">
              <dt>{name}</dt>
              <dd class="min-w-0 break-all text-ink">
                <span aria-hidden="true" class="text-soft">=</span> <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {lost !== null && (
        <p class="break-words text-accent">
          <bdi>{lost}</bdi>
        </p>
      )}
    </li>
  );
}
