import ShortenForm from "@/islands/home/ShortenForm.tsx";
import type { HomeData } from "@/lib/pages/home.ts";
import { toVisible } from "@/lib/ui/short_link.ts";
import { BreakableText } from "../BreakableText.tsx";
import { SitePage } from "../PageFrame.tsx";
import { Link } from "../Link.tsx";

/** The long URL of the example. */
const EXAMPLE_URL = "https://www.example.com/garden/spring/pruning-roses?from=newsletter&issue=42";
/** Squares in the example; the operator configures how many characters an id really has. */
const EXAMPLE_CHARACTERS = 7;

/** Renders the home page: introduction, shortening form and its result. */
export function Home({ baseUrl, isSignedIn, needsKey, made, form }: HomeData) {
  return (
    <SitePage title={titleOf(made !== null, form.problem)} isSignedIn={isSignedIn}>
      <h1>Short links with invisible characters</h1>
      <p class="mt-4 max-w-[52ch] text-lede text-balance text-soft">
        Turn a long address into a link that shows only the name of this server: what follows is invisible.
        For teams that run their own links and chat, and want visits counted without tracking anyone.
      </p>
      <Example base={toVisible(baseUrl)} />
      <section aria-label="Shorten a URL" class="mt-8 rounded-panel border border-rule bg-raised p-5 sm:p-7">
        <ShortenForm needsKey={needsKey} made={made} url={form.url} problem={form.problem} />
      </section>
      <div class="mt-12 grid gap-x-12 gap-y-9 sm:grid-cols-2">
        <Visits />
        <ForDevelopers baseUrl={baseUrl} needsKey={needsKey} />
      </div>
    </SitePage>
  );
}

function titleOf(isMade: boolean, problem: string | null): string {
  if (problem !== null) return "Not shortened";
  return isMade ? "Your short link" : "Short links with invisible characters";
}

/** Renders an example: a long URL and its short link, with outlines for the invisible characters. */
function Example({ base }: { base: string }) {
  return (
    <dl class="mt-8">
      <dt class="sr-only">Example of a long URL</dt>
      <dd class="text-small wrap-anywhere text-soft">
        <BreakableText text={EXAMPLE_URL} />
      </dd>
      <dt class="sr-only">Its short link</dt>
      <dd class="mt-2 font-serif text-[clamp(1.6rem,5vw,2.6rem)] leading-tight tracking-[-0.02em] break-all">
        {base}/
        <span role="img" aria-label="seven invisible characters" class="ml-1 inline-flex gap-[0.14em]">
          {Array.from({ length: EXAMPLE_CHARACTERS }, (_, at) => <span key={at} class="ghost-[0.5em]" />)}
        </span>
      </dd>
    </dl>
  );
}

function Visits() {
  return (
    <section aria-labelledby="visits-title">
      <h2 id="visits-title">Visit statistics</h2>
      <p class="mt-3 text-soft">
        Each visit is counted exactly once. Only its time is stored: no IP address, no cookie and no other
        information about the visitor.
      </p>
    </section>
  );
}

function ForDevelopers({ baseUrl, needsKey }: { baseUrl: string; needsKey: boolean }) {
  const key = needsKey ? "  -H 'authorization: Bearer KEY' \\\n" : "";
  return (
    <section aria-labelledby="developers-title">
      <h2 id="developers-title">For developers</h2>
      <pre class="mt-3 text-small break-words whitespace-pre-wrap">
        <code>{`curl ${baseUrl}/ \\\n${key}  --json '{"url": "https://example.com"}'`}</code>
      </pre>
      <p class="mt-3 text-soft">
        Returns the ID and the link as JSON. See the{" "}
        <Link class="link text-ink" href="/docs">API documentation</Link>.
      </p>
    </section>
  );
}
