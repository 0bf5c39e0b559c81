import { SitePage } from "./PageFrame.tsx";
import { Link } from "./Link.tsx";

/** Renders the error page: what happened, and what the visitor can do. */
export function ErrorPage(
  { status, message, requestId, path = "/", isSignedIn = false }: {
    status: number;
    message: string;
    requestId: string;
    path?: string;
    isSignedIn?: boolean;
  },
) {
  const { title, advice } = explainStatus(status, path);
  return (
    <SitePage title={title} isSignedIn={isSignedIn}>
      <p class="ghost inline-grid size-24 place-items-center pt-2 rounded-[1rem] [border-width:2px] font-serif text-h1">
        {status}
      </p>
      <h1 class="mt-6">{title}</h1>
      <p class="mt-4 max-w-[52ch] text-lede">{message}</p>
      <p class="mt-2 max-w-[52ch] text-soft">{advice}</p>
      <p class="mt-7">
        <Link class="link font-strong" href="/">Shorten a URL</Link>
      </p>
      <p class="mt-12 text-small text-soft">
        Request ID: <code class="break-all">{requestId}</code>
      </p>
    </SitePage>
  );
}

/** A path of one segment with characters that are encoded, as those of short links are. */
const MAY_BE_SHORT = /^\/[^/%]*%[^/]*$/;

/** Returns a title and advice for an HTTP status. */
export function explainStatus(status: number, path = "/"): { title: string; advice: string } {
  switch (status) {
    case 401:
      return { title: "Key required", advice: "Ask the operator of this server for a key." };
    case 403:
      return {
        title: "You do not have access",
        advice: "Ask an administrator of your organization for help.",
      };
    case 404:
      return {
        title: "Page not found",
        advice: MAY_BE_SHORT.test(path)
          ? "If this is a short link, some programs remove part of its invisible characters. Ask the sender " +
            "for the encoded link."
          : "Check the address, or start again from the home page.",
      };
    case 405:
      return { title: "Method not allowed", advice: "Start again from the home page." };
    case 410:
      return { title: "This link is no longer available", advice: "Ask the sender for another link." };
    case 429:
      return { title: "Too many requests", advice: "Wait a minute, then try again." };
    case 503:
      return { title: "The server is busy", advice: "Try again in a moment." };
  }
  return status < 500
    ? { title: "The request failed", advice: "Check the address, or start again from the home page." }
    : {
      title: "Something went wrong",
      advice:
        "This is a problem on the server. Try again. If it keeps happening, report the request ID below to the " +
        "operator of this server.",
    };
}
