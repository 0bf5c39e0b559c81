import { BreakableText } from "./BreakableText.tsx";
import { Link } from "./Link.tsx";
import { PageTitle, SitePage } from "./PageFrame.tsx";

/** Renders the target of a short link that a browser cannot be redirected to, because it is no web address. */
export function LinkTargetPage({ url }: { url: string }) {
  const { title, effect } = describeTarget(url);
  return (
    <SitePage title={title}>
      <PageTitle title={title}>{effect}</PageTitle>
      <p class="mt-7 text-lede">
        <Link class="link font-strong break-words" href={url} rel="noreferrer nofollow">
          <BreakableText text={url} />
        </Link>
      </p>
    </SitePage>
  );
}

/** Returns what a target is and what opening it does, by the scheme of its address. */
function describeTarget(url: string): { title: string; effect: string } {
  switch (url.slice(0, url.indexOf(":")).toLowerCase()) {
    case "mailto":
      return {
        title: "Email address",
        effect: "This short link starts an email message to the address below.",
      };
    case "tel":
    case "callto":
      return { title: "Phone number", effect: "This short link calls the number below." };
    case "sms":
    case "smsto":
      return { title: "Text message", effect: "This short link starts a text message to the number below." };
  }
  return {
    title: "Link to another program",
    effect:
      "This short link opens the address below in another program. Open it only if you trust the sender.",
  };
}
