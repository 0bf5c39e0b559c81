import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MadeLinkView } from "@/components/MadeLinkView.tsx";
import { ShortenFields } from "@/components/ShortenFields.tsx";
import { RequestFailure, shortenUrl } from "@/lib/client/api.ts";
import { useSubmit } from "@/lib/client/submit.ts";
import { fieldOfProblem } from "@/lib/ui/problem.ts";

interface ShortenFormProps {
  readonly needsKey: boolean;
  /** The link that the page was loaded to show, or null. */
  readonly made: { readonly short: string; readonly link: string; readonly url: string } | null;
  /** What was typed before the page was loaded. */
  readonly url: string;
  /** Why that was refused, or null. */
  readonly problem: string | null;
}

/** Shortens a URL and shows the link in place; without script the form is sent and the page says the same. */
export default function ShortenForm({ needsKey, made, url, problem }: ShortenFormProps) {
  const shown = useSignal(made);
  const announcement = useSignal("");
  const submission = useSubmit(problem);
  const urlField = useRef<HTMLInputElement>(null);
  const keyField = useRef<HTMLInputElement>(null);

  const shorten = async () => {
    const typed = urlField.current?.value.trim() ?? "";
    announcement.value = "";
    try {
      const answer = await shortenUrl(typed, keyField.current?.value || null);
      shown.value = { short: answer.short, link: answer.url, url: typed };
      announcement.value = "Your short link is ready below the form.";
    } catch (error) {
      const isRefused = error instanceof RequestFailure && error.status !== null && error.status < 500;
      if (isRefused) {
        (fieldOfProblem(error.message, needsKey) === "key" ? keyField : urlField).current?.focus();
      }
      throw error;
    }
    if (urlField.current !== null) urlField.current.value = "";
    // Loading the page again shows the same link again.
    history.replaceState(null, "", `/?short=${encodeURIComponent(shown.value?.short ?? "")}`);
  };

  return (
    <>
      <form
        method="post"
        action="/"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submission.submit(shorten);
        }}
      >
        <ShortenFields
          url={url}
          needsKey={needsKey}
          problem={submission.problem.value}
          isSlow={submission.isSlow.value}
          urlField={urlField}
          keyField={keyField}
        />
      </form>
      <p role="status" class="sr-only">{announcement.value}</p>
      {shown.value !== null && <MadeLinkView key={shown.value.short} {...shown.value} />}
    </>
  );
}
