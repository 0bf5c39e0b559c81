import { SitePage } from "./SitePage.tsx";

/** Renders the error page: what happened, and what the visitor can do. */
export function ErrorPage(
  { status, message, requestId }: { status: number; message: string; requestId: string },
) {
  const { title, advice } = explain(status);
  return (
    <SitePage title={title}>
      <p class="ghost inline-grid size-24 place-items-center pt-2 rounded-[1rem] [border-width:2px] font-serif text-h1">
        {status}
      </p>
      <h1 class="mt-6">{title}</h1>
      <p class="mt-4 max-w-[52ch] text-lede">{message}</p>
      <p class="mt-2 max-w-[52ch] text-soft">{advice}</p>
      <p class="mt-7">
        <a class="link font-strong" href="/">Shorten a URL</a>
      </p>
      <p class="mt-12 text-small text-soft">
        Request <code class="break-all">{requestId}</code>
      </p>
    </SitePage>
  );
}

/** Returns a title and advice for an HTTP status. */
function explain(status: number): { title: string; advice: string } {
  switch (status) {
    case 401:
      return { title: "This needs a key", advice: "Ask whoever runs this server for one." };
    case 403:
      return { title: "This is not for you", advice: "An administrator of the organization can help." };
    case 404:
      return {
        title: "This leads nowhere",
        advice: "Invisible characters are easily lost on the way: some programs drop them from an address. " +
          "Ask for the link again, written out with its percent signs.",
      };
    case 405:
      return { title: "That is not how this page works", advice: "Start again from the first page." };
    case 410:
      return { title: "This link was taken out of use", advice: "Whoever gave it to you may have another." };
    case 429:
      return { title: "That was a little fast", advice: "Wait a minute and try again. Nothing was lost." };
    case 503:
      return { title: "The server is busy", advice: "Try again in a moment. Nothing was lost." };
  }
  return status < 500
    ? { title: "That did not work", advice: "Check the address, or start again from the first page." }
    : {
      title: "Something went wrong here",
      advice: "It is not your doing. Try again; if it stays, tell whoever runs this server the number below.",
    };
}
