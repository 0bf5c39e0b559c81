import { splitAtBreakPoints } from "@/lib/ui/break_points.ts";

/** Renders a text whose long words, such as URLs, break after punctuation before they break elsewhere. */
export function BreakableText({ text, longest }: { text: string; longest?: number }) {
  return (
    <>
      {splitAtBreakPoints(text, longest).flatMap((part, at) => at === 0 ? [part] : [<wbr key={at} />, part])}
    </>
  );
}
