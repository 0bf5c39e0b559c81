import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { CreatedLink } from "@/components/home/CreatedLink.tsx";
import { ShortenFields } from "@/components/home/ShortenFields.tsx";
import { RequestFailure, shortenUrl } from "@/lib/client/api.ts";
import { useSubmit } from "@/lib/client/submit.ts";
import { fieldOfProblem, suggestUrl } from "@/lib/ui/problem.ts";

interface ShortenFormProps {
  readonly needsKey: boolean;
  /** The link that the page was loaded with, or null. */
  readonly made: { readonly short: string; readonly link: string; readonly url: string } | null;
  /** The URL that was typed before the page loaded. */
  readonly url: string;
  /** Why it was refused, or null. */
  readonly problem: string | null;
}

/**
 * Shortens a URL and shows the link in place; without JavaScript the form is submitted and the page shows the
 * same.
 */
export default function ShortenForm(props: ShortenFormProps) {
  const { needsKey, url } = props;
  const urlField = useRef<HTMLInputElement>(null);
  const keyField = useRef<HTMLInputElement>(null);
  const { made, announcement, problem, suggestion, isSlow, shorten } = useShortening(props, {
    url: urlField,
    key: keyField,
  });
  return (
    <>
      <form method="post" action="/" noValidate onSubmit={shorten}>
        <ShortenFields
          url={url}
          needsKey={needsKey}
          problem={problem.value}
          suggestion={suggestion.value}
          isSlow={isSlow.value}
          urlField={urlField}
          keyField={keyField}
        />
      </form>
      <p role="status" class="sr-only">{announcement.value}</p>
      {made.value !== null && <CreatedLink key={made.value.short} {...made.value} />}
    </>
  );
}

/** Fields of the form, once they are on the page. */
type Fields = Readonly<Record<"url" | "key", RefObject<HTMLInputElement>>>;

function useShortening(
  { needsKey, made: firstMade, url: firstUrl, problem: firstProblem }: ShortenFormProps,
  fields: Fields,
) {
  const made = useSignal(firstMade);
  const announcement = useSignal("");
  const suggestion = useSignal(firstProblem === null ? null : suggestUrl(firstUrl));
  const { problem, isSlow, submit } = useSubmit(firstProblem);

  const shorten = async (event: SubmitEvent) => {
    event.preventDefault();
    announcement.value = "";
    if (fields.url.current !== null && event.submitter?.matches("[name=suggested]") === true) {
      fields.url.current.value = suggestion.value ?? "";
    }
    const url = fields.url.current?.value.trim() ?? "";
    const key = fields.key.current?.value || null;
    const isDone = await submit(async () => {
      if (needsKey && key === null) throw new RequestFailure("Enter the key of this server.", 401);
      const answer = await shortenUrl(url, key);
      made.value = { short: answer.short, link: answer.url, url };
      announcement.value = "Your short link is ready below the form.";
      // Reloading the page shows the same link again.
      history.replaceState(null, "", `/?short=${encodeURIComponent(answer.short)}`);
    });
    suggestion.value = isDone ? null : suggestUrl(url);
    if (isDone && fields.url.current !== null) fields.url.current.value = "";
    // The focus moves to the field that needs a change.
    if (!isDone && problem.value !== null) fields[fieldOfProblem(problem.value, needsKey)].current?.focus();
  };
  return { made, announcement, problem, suggestion, isSlow, shorten };
}
