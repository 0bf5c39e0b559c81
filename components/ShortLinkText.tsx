import { type ShortLink, splitShortLink } from "@/lib/ui/short_link.ts";
import { type CodePoint, describeCodePoints } from "@/lib/ui/code_points.ts";
import { type QrPath, toQrPath } from "@/lib/ui/qr_path.ts";

/**
 * Renders a short link with its invisible characters in dashed squares. One click selects it, and what is copied is the
 * link itself.
 */
export function ShortLinkText({ link, short }: ShortLink) {
  const { scheme, visible } = splitShortLink({ link, short });
  return (
    <p class="leading-9 select-all">
      <span class="text-soft">{scheme}</span>
      <span class="font-serif text-[1.7rem] tracking-[-0.02em] break-all">{visible}</span>
      <span lang="en" class="font-mono text-tiny">
        {describeCodePoints(short).map((point, at) => <CodePointMark key={at} {...point} />)}
      </span>
    </p>
  );
}

/**
 * Lists the characters of an id with code point and Unicode name. Unicode names are English in every
 * language.
 */
export function CodePointList({ text }: { text: string }) {
  return (
    <ol lang="en" class="mt-3 max-w-[30rem] border-t border-rule">
      {describeCodePoints(text).map((point, at) => (
        <li
          key={at}
          class="grid grid-cols-[5.75rem_minmax(0,1fr)] items-center gap-x-2 border-b border-rule py-2 text-small"
        >
          <span class="font-mono">
            <CodePointMark {...point} />
          </span>
          <span>
            <code>{point.code}</code> <span class="text-soft">{point.name}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Renders a character; the label of an invisible one is drawn beside it and is no text to copy. */
function CodePointMark({ label, character, isInvisible }: CodePoint) {
  if (!isInvisible) return <span>{character}</span>;
  return (
    <span
      data-label={label}
      class="ghost mx-[0.2em] inline-block px-1.5 py-1 align-[0.1em] font-mono text-tiny leading-none font-medium whitespace-nowrap before:content-[attr(data-label)]"
    >
      {character}
    </span>
  );
}

/** Renders a text as a QR code, dark on white in both color schemes, as cameras expect. */
export function QrCode(
  { text, label, code = toQrPath(text) }: { text: string; label: string; code?: QrPath },
) {
  const { size, path } = code;
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
      class="block aspect-square w-44 max-w-full rounded-control border border-rule"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#181b20" />
    </svg>
  );
}
