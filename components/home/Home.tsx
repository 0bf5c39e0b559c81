import ShortenForm from "@/islands/home/ShortenForm.tsx";
import type { HomeData } from "@/lib/pages/home.ts";
import { toVisible } from "@/lib/ui/short_link.ts";
import { SitePage } from "../SitePage.tsx";
import { Link } from "../Link.tsx";

/** Squares in the illustration; the operator configures how many characters an id really has. */
const EXAMPLE_CHARACTERS = 7;

/** Renders the home page: introduction, shortening form and its result. */
export function Home({ baseUrl, isSignedIn, needsKey, made, form }: HomeData) {
  return (
    <SitePage title={titleOf(made !== null, form.problem)} isSignedIn={isSignedIn}>
      <h1>Short links with invisible characters</h1>
      <p class="mt-4 max-w-[52ch] text-lede text-balance text-soft">
        Sotto shortens a long URL to this server’s address, followed by a few invisible characters that
        identify the link.
      </p>
      <ExampleLink base={toVisible(baseUrl)} />
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

/** Renders an example of a short link, with outlines for its invisible characters. */
function ExampleLink({ base }: { base: string }) {
  return (
    <p
      role="img"
      aria-label={`${base}/ followed by seven invisible characters`}
      class="mt-8 font-serif text-[clamp(1.6rem,5vw,2.6rem)] leading-tight tracking-[-0.02em] break-all"
    >
      {base}/
      <span class="ml-1 inline-flex gap-[0.14em]">
        {Array.from(
          { length: EXAMPLE_CHARACTERS },
          (_, at) => <span key={at} class="ghost-[0.5em]" />,
        )}
      </span>
    </p>
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
